/** Tests that every film reader must pass (src/ports/media-reads.ts), through the adapters that request reads. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Test } from 'tap'
import { createFfprobe } from '../../../src/adapters/ffmpeg/ffprobe.ts'
import { createMediaFrames } from '../../../src/adapters/ffmpeg/video-frames.ts'
import { createTextTracks } from '../../../src/adapters/ffmpeg/text-tracks.ts'
import { createLoudness } from '../../../src/adapters/ffmpeg/loudness.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { scanPackets } from '../../../src/adapters/ffmpeg/packet-scan.ts'
import { createStills } from '../../../src/adapters/ffmpeg/stills.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { StartMediaRead } from '../../../src/ports/media-reads.ts'
import { NotPlayable } from '../../../src/ports/media.ts'
import { imageTypeOf } from '../../../src/app/images/image-type.ts'
import { programs } from '../../fixtures/media-files.ts'
import { oddFile } from '../streaming/odd-files.ts'

const clock = createSystemClock()
const FINGERPRINT = 'ab'.repeat(32)
const TEXT = '1\n00:00:01,000 --> 00:00:02,000\nGood evening\n\n2\n00:00:06,000 --> 00:00:07,000\nGood night\n'
const never = new AbortController().signal
const soon = () => AbortSignal.timeout(60_000)

/** A film of eight seconds with a sine of -23 LUFS, a subtitle, and a keyframe every two seconds. */
async function makeMediaFile(folder: string): Promise<string> {
  const { ffmpeg } = await programs
  const path = join(folder, 'film.mkv')
  const text = join(folder, 'text.srt')
  writeFileSync(text, TEXT)
  const sine = `${10 ** (-23 / 20)}*sin(2*PI*1000*t)`
  const inputs = ['testsrc2=size=320x180:rate=24:d=8', `aevalsrc=${sine}|${sine}:c=stereo:s=48000:d=8`].flatMap((graph) => [
    '-f',
    'lavfi',
    '-i',
    graph,
  ])
  const output = '-map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -g 48 -pix_fmt yuv420p -c:a flac -c:s copy'.split(' ')
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...inputs, '-i', text, ...output, path], { timeout: 60_000 })
  return path
}

export interface ReadsUnderTest {
  readonly start: StartMediaRead
  readonly close: () => Promise<void>
}

/** `make`: builds the reader for the films of a folder. */
export function mediaReadsContract(t: Test, make: (t: Test, folder: string) => Promise<ReadsUnderTest>): void {
  t.test('a film is described, scanned, drawn, heard and its texts are read', { timeout: 180_000 }, async (t) => {
    const { folder, start } = await open(t, make)
    const path = await makeMediaFile(folder)
    const media = createMedia({ start, clock, indexFolder: join(folder, 'index') })
    const description = await media.probe(path, soon())
    t.match(description, {
      container: 'matroska',
      video: [{ codec: 'h264', width: 320 }],
      audio: [{ channels: 2 }],
      subtitles: [{ stream: 2 }],
    })
    const { index } = await scanPackets(createFfprobe({ start, clock }), { path, signal: soon(), timeoutMs: 60_000 })
    t.strictSame(index.keyframesMs.map(Math.round), [0, 2000, 4000, 6000])
    t.equal(index.whole, true)

    const still = await createStills({ start, clock, folder: join(folder, 'stills') }).still({
      path,
      fingerprint: FINGERPRINT,
      durationMs: 8000,
    })
    t.equal(still && imageTypeOf(still), 'image/jpeg')

    const track = { stream: 2, codec: 'subrip' }
    const mediaFile = { path, fingerprint: FINGERPRINT, startMs: 0, bitrateBps: null, pacer: 1, tracks: [track] }
    const texts = createTextTracks({ start, clock, folder: join(folder, 'texts') })
    t.match(String(await texts.stretch(mediaFile, { track, fromMs: 0, toMs: 3000 }, soon())), /Good evening/)
    t.equal(await texts.takeOut(mediaFile, { background: true, signal: soon() }), true)
    t.match(String(Buffer.from((await texts.kept(mediaFile, track)) ?? [])), /Good evening[^]*Good night/)

    const loud = await createLoudness({ start, clock, folder: join(folder, 'loudness') }).measure(
      { ...mediaFile, audio: description.audio },
      soon(),
    )
    t.ok(Math.abs((loud?.[0]?.stereo.loudnessLufs ?? 0) + 23) < 0.3, `${loud?.[0]?.stereo.loudnessLufs} LUFS`)

    const [video] = description.video
    if (!video) throw new Error('The film has video')
    const pictured = { path, durationMs: 8000, bitrateBps: null, track: video, zeroMs: index.zeroMs, width: 160, height: 90 }
    const frames = createMediaFrames({ start, clock })
    const shown: number[] = []
    for await (const { atMs, jpeg } of frames.keyframes(pictured, soon())) {
      shown.push(Math.round(atMs))
      t.equal(imageTypeOf(jpeg), 'image/jpeg')
    }
    t.strictSame(shown, [0, 2000, 4000, 6000])
    const grabbed = await frames.frameFrom(pictured, { fromMs: 5000, seekMs: 4000 }, soon())
    t.equal(Math.round(grabbed?.atMs ?? 0), 5000)
  })

  t.test('a film joined from recordings with clocks of their own is one film, whatever its path', { timeout: 60_000 }, async (t) => {
    const { folder, start } = await open(t, make)
    const path = join(folder, "it's, 'joined'; $(it) %d.ts")
    copyFileSync(await oddFile('clock-restarts.ts'), path)
    const media = createMedia({ start, clock, indexFolder: join(folder, 'index') })
    t.match(await media.probe(path, soon()), { container: 'mpegts', video: [{ codec: 'h264' }], audio: [{ codec: 'aac' }] })
    const { keyframesMs, videoEndMs } = await media.index(path, FINGERPRINT, soon())
    t.ok(keyframesMs.every((ms, index) => ms > (keyframesMs[index - 1] ?? -Infinity)))
    t.equal(Math.round(videoEndMs / 1000), 28)
  })

  t.test('what is no film is refused in the same words by everybody', { timeout: 60_000 }, async (t) => {
    const { folder, start } = await open(t, make)
    const media = createMedia({ start, clock, indexFolder: join(folder, 'index') })
    const cases = {
      'text.mkv': ['This is no film.', 'It is not a media file'],
      'list.mkv': ['#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:3,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n', 'It is not a media file'],
      'empty.mkv': ['', 'The file is empty'],
    } as const
    for (const [name, [bytes, reason]] of Object.entries(cases)) {
      writeFileSync(join(folder, name), bytes)
      await t.rejects(media.probe(join(folder, name), soon()), new NotPlayable(reason), name)
    }
    await t.rejects(media.probe(join(folder, 'away.mkv'), soon()), new NotPlayable('The file cannot be read'))
  })

  t.test('a read ends when it is not wanted any more', { timeout: 60_000 }, async (t) => {
    const { folder, start } = await open(t, make)
    const path = await makeMediaFile(folder)
    const order = { path, read: { type: 'video-packets' }, priority: 'now', timeoutMs: 30_000 } as const
    const killed = start(order)
    killed.kill()
    t.equal((await killed.exited).code, null, 'before it began')
    const left = start(order)
    for await (const bytes of left.output) {
      t.ok(bytes.byteLength > 0)
      break
    }
    left.kill()
    await left.exited
    const reason = new Error('The scan was cancelled')
    const media = createMedia({ start, clock, indexFolder: join(folder, 'index') })
    const stop = new AbortController()
    const probing = media.probe(path, stop.signal)
    stop.abort(reason)
    await t.rejects(probing, reason)
    t.ok(await media.probe(path, never), 'the next one reads')
  })
}

async function open(t: Test, make: (t: Test, folder: string) => Promise<ReadsUnderTest>) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-reads-'))
  const { start, close } = await make(t, folder)
  t.teardown(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, start }
}
