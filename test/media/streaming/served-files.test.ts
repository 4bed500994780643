/**
 * Validates the served media set against the rules and against the films: all films if `MARQUEE_TEST_SEEDS` or `MARQUEE_TEST_SEED` is set;
 * otherwise those that take seconds.
 */
import { basename, join } from 'node:path'
import t from 'tap'
import { mediaSet, type ManifestFile } from '../../fixtures/media-files.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { randomBelow, seeds, wandering } from '../../fixtures/random-below.ts'
import { fetchFrom } from './engine-fetch.ts'
import { compareWithSource } from './source-proof.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { fetchServed } from '../validator/served.ts'
import { verdictOn } from '../validator/verdict.ts'

const set = mediaSet()
const { MARQUEE_TEST_SEED: one, MARQUEE_TEST_SEEDS: many } = process.env
/** Pixels times seconds, which determine the time of decoding and encoding. */
const MOST_WORK = one || many ? Infinity : 5e6
const workOf = ({ video, durationMs }: ManifestFile): number => (Number(video['width']) * Number(video['height']) * durationMs) / 1000
const films = (set?.manifest.files ?? []).filter((mediaFile) => mediaFile.path.startsWith('movies/') && workOf(mediaFile) < MOST_WORK)

t.jobs = 2
t.test('films of the media set', { skip: !set && 'the media set is not here' }, async (t) => {
  t.jobs = 2
  for (const { path } of films) {
    t.test(`${basename(path)} is served as the rules want it, with all that it holds`, async (t) => {
      for (const seed of seeds(1)) {
        const chance = randomBelow(seed)
        const fixture = await openEngineFixture(t)
        const source = { ...(await fixture.source(join(set!.root, path))), options: { capabilities: EVERY_CODEC } }
        await fixture.media.index(source.path, source.fingerprint, AbortSignal.timeout(60_000))
        const plan = await fixture.engine.plan(source)
        const rungs = plan.video.filter(({ method }) => method === 'transcode').map(({ name }) => name)
        const served = await fetchServed(fetchFrom(fixture, source), {
          without: (name) => rungs.includes(name) && name !== rungs.at(-1),
          order: (count) => wandering(count, chance),
        })
        const told = `MARQUEE_TEST_SEED=${seed}`
        t.strictSame(verdictOn(served), [], `no rule is broken, ${told}`)
        for (const { name, faults } of await compareWithSource(source, plan, served))
          t.strictSame(faults, [], `${name} holds the film, ${told}`)
        t.strictSame(fixture.problems, [])
      }
    })
  }
})
