/**
 * Copied films whose keyframes do not allow clean starts: playlists claim independent segments only if every segment is one, and segments
 * start at clean starts if there are enough of them.
 */
import t, { type Test } from 'tap'
import { EVERY_CODEC } from './capable-player.ts'
import { clip } from '../../fixtures/clips.ts'
import { fetchFrom } from './engine-fetch.ts'
import { oddFile } from './odd-files.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { valueOf, type MasterText, type MediaText } from '../validator/playlist-text.ts'
import { fetchServed } from '../validator/served.ts'
import { verdictOn } from '../validator/verdict.ts'

const PATIENCE_MS = 60_000
const claims = (text: MediaText | MasterText): boolean => valueOf(text, 'EXT-X-INDEPENDENT-SEGMENTS') !== undefined

async function serve(t: Test, path: string) {
  const fixture = await openEngineFixture(t, { answerWithinMs: PATIENCE_MS })
  const source = { ...(await fixture.source(path)), options: { capabilities: EVERY_CODEC } }
  await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(PATIENCE_MS))
  const plan = await fixture.engine.plan(source)
  const smallest = plan.video.findLast(({ method }) => method === 'transcode')
  const without = (name: string) => plan.video.some((one) => one.method === 'transcode' && one.name === name && one !== smallest)
  const served = await fetchServed(fetchFrom(fixture, source), { without })
  t.strictSame(verdictOn(served), [], 'no rule is broken')
  t.strictSame(fixture.problems, [])
  const copy = served.renditions.find(({ name }) => name === 'original')
  const small = served.renditions.find(({ name }) => name === smallest?.name)
  return {
    master: claims(served.master),
    copy: copy && claims(copy.playlist),
    small: small && claims(small.playlist),
    lengths: copy?.playlist.segments.map(({ seconds }) => seconds) ?? [],
    iframes: served.iframes.map(({ rendition }) => rendition.name),
  }
}

for (const [name, path] of [
  ['open-groups.ts', oddFile('open-groups.ts')],
  ['cra.mkv', oddFile('cra.mkv')],
  ['open-gop.mkv', clip('open-gop.mkv')],
] as const) {
  t.test(`a copied film of open groups does not claim EXT-X-INDEPENDENT-SEGMENTS: ${name}`, { timeout: 4 * PATIENCE_MS }, async (t) => {
    const { master, copy, small, iframes } = await serve(t, await path)
    t.strictSame({ master, copy, small }, { master: false, copy: false, small: true })
    t.strictSame(iframes, ['original'], 'its keyframes stand alone')
  })
}

t.test('a copied film of gradual refresh claims neither independent segments nor I-frames', { timeout: 4 * PATIENCE_MS }, async (t) => {
  const { master, copy, small, iframes } = await serve(t, await oddFile('intra-refresh.mkv'))
  t.strictSame({ master, copy, small }, { master: false, copy: false, small: true })
  t.notOk(iframes.includes('original'))
})

t.test('a copied film of open groups with enough fresh starts is cut at those, and claims it', { timeout: 4 * PATIENCE_MS }, async (t) => {
  const { master, copy, small, lengths } = await serve(t, await oddFile('fresh-starts.mp4'))
  t.strictSame({ master, copy, small }, { master: true, copy: true, small: true })
  t.strictSame(
    lengths.map((seconds) => Math.round(seconds)),
    [6, 6, 2],
  )
})
