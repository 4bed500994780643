import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t from 'tap'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { languageTag } from '../../../src/vocabulary/language.ts'
import type { Media } from '../../../src/ports/media.ts'
import { NotPlayable } from '../../../src/ports/media.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { ManifestFile } from '../../fixtures/media-files.ts'
import { makeClip, mediaSet, programs } from '../../fixtures/media-files.ts'
import { mediaContract } from './media-contract.ts'

const clock = createSystemClock()
const never = new AbortController().signal
const { ffprobe } = await programs
const set = mediaSet()
const withoutSet = set ? {} : { skip: 'the media set is not here' }

const mediaIn = (folder: string): Media => createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock, indexFolder: join(folder, 'index') })

t.test('Media by ffprobe', async (t) => {
  mediaContract(t, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marquee-media-'))
    const films = join(folder, 'films')
    await mkdir(films)
    return { media: mediaIn(folder), folder: films, close: () => rm(folder, { recursive: true }) }
  })
})

t.test('every film of the media set is described as its manifest says', withoutSet, async (t) => {
  const media = mediaIn(t.testdir())
  for (const mediaFile of set?.manifest.files ?? []) {
    const found = await media.probe(join(set?.root ?? '', mediaFile.path), never)
    const { durationMs, startMs, bitrateBps, chapters } = found
    t.equal(found.container, mediaFile.container === 'mpegps' ? 'mpeg' : mediaFile.container, mediaFile.path)
    t.equal(Math.round(startMs), mediaFile.startMs, mediaFile.path)
    // Versions of ffprobe count the last audio packet and the edit list differently.
    t.ok(Math.abs(durationMs - mediaFile.durationMs) < 20, `${mediaFile.path} lasts ${durationMs}`)
    t.ok(Math.abs((bitrateBps ?? 0) / mediaFile.bitRate - 1) < 0.001, `${mediaFile.path} has ${bitrateBps} bit/s`)
    t.strictSame(
      chapters,
      mediaFile.chapters.map(({ startMs, title }) => ({ startMs, title })),
    )
    t.equal(found.video.length, 1, 'a cover is no video track')
    t.match(found.video[0], videoOf(mediaFile), mediaFile.path)
    t.match(found.audio, mediaFile.audioTracks.map(trackOf), mediaFile.path)
    t.equal(found.audio.length, mediaFile.audioTracks.length)
    t.match(found.subtitles, mediaFile.subtitleTracks.map(trackOf), mediaFile.path)
    t.equal(found.subtitles.length, mediaFile.subtitleTracks.length)
  }
})

t.test('every keyframe of the media set is found where the manifest has it', withoutSet, async (t) => {
  const media = mediaIn(t.testdir())
  for (const mediaFile of set?.manifest.files ?? []) {
    const path = join(set?.root ?? '', mediaFile.path)
    const { zeroMs, keyframesMs } = await media.index(path, (await media.fingerprint(path)).current, never)
    // The manifest counts from the container's zero, or from the first packet of a film that starts later.
    const keyframes = keyframesMs.map((ms) => Math.round(ms + zeroMs - Math.max(0, mediaFile.startMs === 0 ? 0 : zeroMs)))
    t.strictSame(keyframes, mediaFile.video.keyframesMs, mediaFile.path)
  }
})

t.test('every damaged file of the media set that holds no film is refused with its own reason', withoutSet, async (t) => {
  const reasons: Readonly<Record<string, string>> = {
    'Header Only (2012).webm': 'The file ends before its first frame',
    'Null Bytes (2020).avi': 'It is not a media file',
    'Picture File (2020).mp4': 'It is an image, not a film',
    'Sound Only (2008).mp4': 'It has no video track, only audio',
    'Text File (2020).mkv': 'It is not a media file',
    'Truncated No Index (2008).mp4': 'Its index (moov) is missing: the file was cut off',
    'Zero Length (2020).mkv': 'The file is empty',
  }
  const media = mediaIn(t.testdir())
  for (const [name, reason] of Object.entries(reasons)) {
    const path = join(set?.broken ?? '', name.slice(0, name.lastIndexOf('.')), name)
    await t.rejects(media.probe(path, never), new NotPlayable(reason), name)
  }
})

t.test('films that are only damaged are described and indexed as far as they go', withoutSet, async (t) => {
  const media = mediaIn(t.testdir())
  const damaged = (set?.manifest.broken ?? []).filter((file) => file.lastVideoPacketMs && /\.(?:mkv|mp4)$/.test(file.path))
  t.strictSame(
    damaged.map(({ path }) => basename(path)),
    ['Bad Neighbours (2008).mp4', 'Damaged Middle (2010).mkv', 'Truncated Data (2008).mp4', 'Truncated Matroska (2010).mkv'],
  )
  for (const { path, lastVideoPacketMs = 0 } of damaged) {
    const full = join(set?.root ?? '', path)
    t.match(await media.probe(full, never), { video: [{ codec: 'h264' }] }, path)
    const { videoEndMs, zeroMs } = await media.index(full, (await media.fingerprint(full)).current, never)
    t.ok(Math.abs(videoEndMs + zeroMs - lastVideoPacketMs) < 70, `${path} ends at ${videoEndMs}`)
  }
})

t.test('a playlist dressed as a film opens no other file', async (t) => {
  const folder = t.testdir()
  const clip = await makeClip({ path: join(folder, 'secret.mp4'), seconds: 1 })
  const hls = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${clip}\n#EXT-X-ENDLIST\n`
  for (const [name, text] of Object.entries({ 'hls.mp4': hls, 'hls.mkv': hls, 'concat.mp4': `ffconcat version 1.0\nfile secret.mp4\n` })) {
    await writeFile(join(folder, name), text)
    await t.rejects(mediaIn(folder).probe(join(folder, name), never), NotPlayable, name)
  }
})

t.test('a recording that was never closed is as long as its packets', async (t) => {
  const folder = t.testdir()
  const path = await makeClip({ path: join(folder, 'live.mkv'), seconds: 2, audio: [], output: ['-f', 'matroska', '-live', '1'] })
  const { durationMs } = await mediaIn(folder).probe(path, never)
  t.ok(Math.abs(durationMs - 2000) <= 2, `duration ${durationMs}`)
})

t.test('the zero of a transport stream is its first packet', async (t) => {
  const folder = t.testdir()
  const path = await makeClip({ path: join(folder, 'film.ts'), seconds: 2 })
  const media = mediaIn(folder)
  const { startMs } = await media.probe(path, never)
  const { zeroMs, keyframesMs, videoStartMs } = await media.index(path, (await media.fingerprint(path)).current, never)
  t.ok(startMs > 1000, `ffmpeg starts a transport stream at ${startMs} ms`)
  t.ok(Math.abs(zeroMs - startMs) < 0.01, `the index says ${zeroMs}, the description ${startMs}`)
  t.equal(keyframesMs[0], videoStartMs)
})

t.test('an index is one JSON file, and nothing is left of its making', async (t) => {
  const folder = t.testdir()
  const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 1, audio: [] })
  const media = mediaIn(folder)
  const fingerprint = (await media.fingerprint(path)).current
  await media.index(path, fingerprint, never)
  t.strictSame(await readdir(join(folder, 'index', fingerprint.slice(0, 2))), [`${fingerprint}.json`])
})

function videoOf({ video }: ManifestFile): object {
  const { index, fps, fpsRational, sampleAspectRatio, colorTransfer, ...rest } = video
  const same = [
    'codec',
    'profile',
    'level',
    'width',
    'height',
    'rotation',
    'pixelFormat',
    'bitDepth',
    'interlaced',
    'colorPrimaries',
    'colorSpace',
  ]
  return {
    ...Object.fromEntries(same.map((name) => [name, rest[name]])),
    stream: index,
    frameRate: fps,
    frameRateFraction: fpsRational.includes('/') ? fpsRational : `${fpsRational}/1`,
    sampleAspect: sampleAspectRatio ?? '1:1',
    colorTransfer,
    hdr: colorTransfer === 'smpte2084' ? 'hdr10' : null,
  }
}

function trackOf({ index, language, kind: _kind, packetCount: _count, ...rest }: ManifestFile['audioTracks'][number]): object {
  return { ...rest, stream: index, language: languageTag(language ?? '') }
}
