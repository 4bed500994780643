/** Films with an index of an older server version: it is rebuilt automatically, once. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createPlans } from '../../../src/app/streaming/plans.ts'
import { createMediaIndexPrefetch } from '../../../src/app/scans/media-index-prefetch.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { StartMediaRead } from '../../../src/ports/media-reads.ts'
import { programs } from '../../fixtures/media-files.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { oddFile } from './odd-files.ts'
import { sourceAt } from '../engine-fixture.ts'

const never = new AbortController().signal
const TERMS = { capabilities: EVERY_CODEC }
const versionIn = (text: string): unknown => (JSON.parse(text) as { readonly version: unknown }).version

/** A film with a stored index of version 4: without the kinds of its keyframes. */
async function installation(t: Test) {
  const folder = join(t.testdir({}), 'indexes')
  mkdirSync(folder)
  const { ffmpeg, ffprobe } = await programs
  const read = mediaFfmpeg(ffmpeg, ffprobe)
  const scans: string[] = []
  const start: StartMediaRead = (order) => {
    if (order.read.type === 'video-packets') scans.push(order.path)
    return read(order)
  }
  /** Like after a restart: nothing is in memory. */
  const started = () => createMedia({ start, clock: createSystemClock(), indexFolder: folder })
  const source = { ...(await sourceAt(started(), await oddFile('open-groups.ts'))), options: TERMS }
  await started().index(source.path, source.fingerprint, never)
  const file = join(
    folder,
    readdirSync(folder, { recursive: true })
      .map(String)
      .find((name) => name.endsWith('.json'))!,
  )
  const { keyframeKinds: _kinds, ...old } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  writeFileSync(file, JSON.stringify({ ...old, version: 4 }))
  scans.length = 0
  return { started, source, scans, version: () => versionIn(readFileSync(file, 'utf8')) }
}

t.test('a film whose index is of an older version is read again once, when it is played', { timeout: 120_000 }, async (t) => {
  const { started, source, scans, version } = await installation(t)
  t.equal(version(), 4)
  const plans = createPlans({ media: started(), clock: createTestClock() })
  const [first, second] = await Promise.all([plans.of(source), plans.of(source)])
  t.equal(scans.length, 1)
  t.equal(version(), 6)
  t.match(first.video[0], { method: 'remux', areIndependent: false }, 'as it really is')
  t.equal(second, first)
  const later = createPlans({ media: started(), clock: createTestClock() })
  t.match((await later.of(source)).video[0], { method: 'remux', areIndependent: false })
  t.equal(scans.length, 1, 'not after the next start')
})

t.test('the index is rebuilt in the background by whatever scan comes next, though the film has not changed', async (t) => {
  const { started, source, scans, version } = await installation(t)
  const media = started()
  const made = Promise.withResolvers<void>()
  const ahead = createMediaIndexPrefetch({
    media: { hasIndex: (fingerprint) => media.hasIndex(fingerprint), index: (...asked) => media.index(...asked).finally(made.resolve) },
  })
  ahead.want(source)
  await made.promise
  t.strictSame([scans.length, version()], [1, 6])
  await ahead.close()
})

t.test('until it has been read again, it can be played all the same', async (t) => {
  const { started, source, scans } = await installation(t)
  const clock = createTestClock()
  const media = started()
  const asked = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const plans = createPlans({
    clock,
    media: {
      ...media,
      async index(...given) {
        asked.resolve()
        await slow.promise
        return media.index(...given)
      },
    },
  })
  const planning = plans.of(source)
  await asked.promise
  await clock.advance(5_000)
  const { video } = await planning
  t.ok(video.length > 0 && video.every(({ method }) => method === 'transcode'))
  t.equal(scans.length, 0)
  slow.resolve()
  plans.close()
})
