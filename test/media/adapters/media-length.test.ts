/** Lengths of films that do not start at zero (containers count from there, or from the start), and of films with longer subtitles. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import t, { type Test } from 'tap'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { makeClip, mediaSet, programs } from '../../fixtures/media-files.ts'
import { makeSubtitledClip, type SubtitledClip } from '../subtitled.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-length-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const media = createMedia({ start: mediaFfmpeg('ffmpeg', (await programs).ffprobe), clock: createSystemClock(), indexFolder: folder })
const lengthOf = async (path: string): Promise<number> => (await media.probe(path, AbortSignal.timeout(30_000))).durationMs

const SECONDS = 9
const late = (name: string, offset: number, output: readonly string[] = []): Promise<string> =>
  makeClip({ path: join(folder, name), seconds: SECONDS, bFrames: 2, output: ['-output_ts_offset', String(offset), ...output] })
const FRAGMENTED = ['-avoid_negative_ts', 'disabled', '-movflags', 'frag_keyframe+empty_moov+delay_moov+frag_discont+negative_cts_offsets']

for (const offset of [0, 1.4, 7200]) {
  for (const container of ['mkv', 'mp4', 'ts', 'flv'])
    t.test(`a ${container} that begins at ${offset} s is as long as its video`, async (t) => {
      const lengthMs = await lengthOf(await late(`late-${offset}.${container}`, offset))
      t.ok(Math.abs(lengthMs - SECONDS * 1000) < 110, `${lengthMs} ms`)
    })
  t.test(`a fragmented mp4 that begins at ${offset} s is as long as its video`, async (t) => {
    const lengthMs = await lengthOf(await late(`fragmented-${offset}.mp4`, offset, FRAGMENTED))
    t.ok(Math.abs(lengthMs - SECONDS * 1000) < 110, `${lengthMs} ms`)
  })
  t.test(`a webm that begins at ${offset} s is as long as its video`, async (t) => {
    const path = join(folder, `late-${offset}.webm`)
    const video = `-v error -nostdin -f lavfi -i testsrc2=size=192x108:rate=25:duration=${SECONDS} -c:v libvpx-vp9 -deadline realtime`
    await execa((await programs).ffmpeg, [...video.split(' '), '-cpu-used', '8', '-output_ts_offset', String(offset), path])
    t.equal(await lengthOf(path), SECONDS * 1000)
  })
}

/** Duration, element 0x4489, as a double. */
const DURATION = Buffer.from([0x44, 0x89, 0x88])

for (const offset of [1.4, 5, 7200])
  t.test(`a mkv that begins at ${offset} s and contains its length, as mkvmerge writes it, is trusted`, async (t) => {
    const path = await late(`length-${offset}.mkv`, offset)
    const bytes = readFileSync(path)
    const at = bytes.indexOf(DURATION)
    t.ok(at > 0)
    bytes.writeDoubleBE(SECONDS * 1000, at + DURATION.length)
    writeFileSync(path, bytes)
    t.equal(await lengthOf(path), SECONDS * 1000)
  })

const CUES = '1\n00:00:01,000 --> 00:00:02,000\nShort\n\n2\n00:00:03,000 --> 00:20:00,000\nLong\n'
const withLongCue = (film: Pick<SubtitledClip, 'name' | 'codec' | 'startSeconds'>): Promise<string> =>
  makeSubtitledClip({ folder, seconds: SECONDS, subtitles: [['srt', CUES]], ...film })
const isAsLongAsItsVideo = async (t: Test, path: string): Promise<void> => {
  const lengthMs = await lengthOf(path)
  t.ok(Math.abs(lengthMs - SECONDS * 1000) < 110, `${lengthMs} ms`)
}

for (const film of [{ name: 'srt.mkv' }, { name: 'ass.mkv', codec: 'ass' }, { name: 'text.mp4', codec: 'mov_text' }])
  for (const startSeconds of [0, 7200])
    t.test(`a cue that outlasts ${film.name}, which begins at ${startSeconds} s, does not make it longer`, async (t) =>
      isAsLongAsItsVideo(t, await withLongCue({ ...film, name: `${startSeconds}-${film.name}`, startSeconds })),
    )

for (const [what, from, to] of [
  ['a mkv without statistics is as long as its packets', 'DURATION', 'DISTANCE'],
  ['a mkv is not shorter than its packets, whatever its statistics say', '00:00:09.', '00:00:04.'],
] as const)
  t.test(what, async (t) => {
    const path = await withLongCue({ name: `${to}.mkv` })
    writeFileSync(path, readFileSync(path, 'latin1').replaceAll(from, to), 'latin1')
    await isAsLongAsItsVideo(t, path)
  })

const set = mediaSet()
t.test('the films of the media set are as long as they were', { skip: !set }, async (t) => {
  for (const { path, durationMs } of set!.manifest.files) t.equal(await lengthOf(join(set!.root, path)), durationMs, path)
})
