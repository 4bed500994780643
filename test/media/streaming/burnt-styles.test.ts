/** Burned-in styled subtitles, with the fonts embedded in the film. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMemoryTextReader } from '../../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../../src/app/derived-media/text-reading.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createBurntSubtitles } from '../../../src/app/streaming/subtitles/burnt-subtitles.ts'
import { createSubtitleNumbers } from '../../../src/app/streaming/subtitles/subtitle-numbers.ts'
import { busy, isUnavailable } from '../../../src/app/streaming/segments/unavailable.ts'
import type { FileStamp } from '../../../src/vocabulary/media-description.ts'
import { unpack } from '../../../src/concurrency/length-prefixed.ts'
import { setVariable } from '../../fixtures/environment.ts'
import { mediaOf, subtitlesOf, videoOf } from '../../fixtures/movie-facts.ts'
import { BOX_SCRIPT, brightBox, darkClip, folderFor, frameAt, shownIn } from '../burnt-clips.ts'
import { firstFrame, numbers, openEngineFixture } from '../engine-fixture.ts'

t.test('what is styled stands where its script puts it, wherever this machine has its files', async (t) => {
  const root = folderFor(t)
  const script = join(root, 'styled.ass')
  writeFileSync(script, BOX_SCRIPT)
  const path = await darkClip(join(root, 'film.mkv'), { beside: [script], seconds: 8 })
  const folder = join(root, 'it\'s a "folder", [of mine]; 100%: a\\b=c #1 {x}')
  mkdirSync(folder)
  setVariable(t, 'TMPDIR', folder)
  const fixture = await openEngineFixture(t)
  const source = { ...(await fixture.source(path)), options: { burnIn: 0 } }
  const { quality } = await firstFrame(fixture, source)
  const segments = await fixture.fetch(source, quality, [3, 1, 0, 2])
  const inOrder = numbers(4).map((segment) => segments.get(segment) ?? new Uint8Array())
  const shown = await shownIn(await fixture.init(source, quality), inOrder, { width: 192, height: 108 })
  const boxAt = (ms: number) => brightBox(frameAt(shown, ms), shown)
  t.strictSame([boxAt(920), boxAt(7_120)], [undefined, undefined])
  for (const ms of [1_080, 4_000, 6_900]) {
    const wanted = { left: 100, right: 180, top: 4, bottom: 34 }
    for (const [side, at] of Object.entries(wanted))
      t.ok(Math.abs(Number(Reflect.get(boxAt(ms) ?? {}, side)) - at) <= 3, `${side} at ${ms} ms`)
  }
  await fixture.agent.close()
  t.strictSame(
    readdirSync(folder).filter((name) => name.startsWith('marquee-parcel-')),
    [],
    'nothing is left behind',
  )
})

const source = {
  fileId: 'file',
  path: '/films/one.mkv',
  fingerprint: 'ab'.repeat(32),
  zeroMs: 0,
  sidecars: [],
  media: mediaOf(60_000, {
    video: [videoOf(640, 360)],
    subtitles: [
      { ...subtitlesOf('en'), stream: 1, codec: 'ass' },
      { ...subtitlesOf('de'), stream: 2 },
    ],
  }),
}

const reader = createMemoryTextReader(textReading)
const FONT = Buffer.from('0001000011', 'hex')
type Options = Parameters<typeof createBurntSubtitles>[0]

function burntFrom(bytes: Options['subtitles']['bytes'], fonts: Options['fonts'] = { of: async () => [FONT, FONT] }) {
  const media = { stamp: async () => undefined }
  return createBurntSubtitles({ clock: createTestClock(), media, fonts, numbered: createSubtitleNumbers(), subtitles: { bytes }, reader })
}

t.test('a styled script travels with the fonts of its film, mere words without', async (t) => {
  const burnt = burntFrom(async () => Buffer.from(BOX_SCRIPT))
  for (const [index, count] of [
    [0, 3],
    [1, 1],
  ] as const) {
    const attachment = await burnt.attachment(source, index)
    t.equal(isUnavailable(attachment) ? attachment : unpack(attachment.bytes, 100)?.length, count)
  }
})

t.test('the parcel says why it is not there', async (t) => {
  const reading = busy('The subtitles are still being read out of the film', 3)
  t.strictSame(await burntFrom(async () => reading).attachment(source, 0), reading)
  t.match(await burntFrom(async () => undefined).attachment(source, 0), { unavailable: /cannot be read/, missing: true })
  t.match(await burntFrom(async () => undefined).attachment(source, 9), { unavailable: /no longer exists/, missing: true })
})

t.test('fonts that cannot be read now are waited for, and the script is not kept without them', async (t) => {
  const answers = [async () => undefined, () => Promise.reject(new Error('It took too long')), async () => [FONT]]
  const burnt = burntFrom(async () => Buffer.from(BOX_SCRIPT), { of: async () => answers.shift()?.() })
  for (const _ of [1, 2]) t.match(await burnt.attachment(source, 0), { unavailable: /^The fonts .* cannot be read$/, missing: false })
  const attachment = await burnt.attachment(source, 0)
  t.equal(isUnavailable(attachment) ? attachment : unpack(attachment.bytes, 100)?.length, 2)
})

t.test('a folder that does not answer is asked once at a time, however many segments wait for it', async (t) => {
  const answers: PromiseWithResolvers<FileStamp | undefined>[] = []
  const media = {
    stamp: () => {
      const answer = Promise.withResolvers<FileStamp | undefined>()
      answers.push(answer)
      return answer.promise
    },
  }
  const numbered = createSubtitleNumbers()
  const clock = createTestClock()
  const burnt = createBurntSubtitles({ clock, media, fonts: undefined, numbered, subtitles: { bytes: async () => undefined }, reader })
  const beside = { ...source, sidecars: [subtitlesOf('en', '/films/one.srt')] }
  const waiting = Array.from({ length: 20 }, () => burnt.of(beside, 2))
  t.equal(answers.length, 1)
  answers[0]?.resolve({ sizeBytes: 1, modifiedAtMs: 1, inode: 1 })
  t.equal(new Set((await Promise.all(waiting)).map(({ key }) => key)).size, 1)
  const changed = burnt.of(beside, 2)
  answers[1]?.resolve({ sizeBytes: 1, modifiedAtMs: 2, inode: 1 })
  t.not((await changed).key, (await waiting[0])?.key, 'and whoever asks then is told how it is then')
  const unanswered = burnt.of(beside, 2)
  await clock.advance(1_000)
  t.equal((await unanswered).key, (await changed).key, 'until it answers it is as it was')
  const givenUp = burnt.of(beside, 2)
  answers[2]?.resolve(undefined)
  t.equal((await givenUp).key, (await changed).key, 'and where it is not there for a while')
  const late = burnt.of(beside, 2)
  await clock.advance(1_000)
  await late
  answers[3]?.resolve({ sizeBytes: 1, modifiedAtMs: 3, inode: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  const next = burnt.of(beside, 2)
  await clock.advance(1_000)
  t.not((await next).key, (await changed).key, 'what it says late counts for the next')
})
