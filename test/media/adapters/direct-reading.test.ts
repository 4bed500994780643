import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import t, { type Test } from 'tap'
import { readDirectly } from '../../../src/adapters/containers/direct-reading.ts'
import type { MediaIndex } from '../../../src/ports/media.ts'
import { makeClip, mediaSet, programs } from '../../fixtures/media-files.ts'
import { direct, scanned } from './direct-and-scan.ts'

const never = new AbortController().signal
const set = mediaSet()
const { ffmpeg } = await programs

/** Clips of moving bars and a tone, and others remuxed from them. */
async function clips(folder: string) {
  const at = (name: string): string => join(folder, name)
  const mediaFile = await makeClip({ path: at('film.mkv'), seconds: 6, keyframeInterval: 36, bFrames: 3 })
  const run = async (name: string, ...args: readonly string[]): Promise<string> => {
    await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args, at(name)])
    return at(name)
  }
  return {
    mediaFile,
    at,
    run,
    copy: (name: string, ...args: readonly string[]) => run(name, '-i', mediaFile, '-map', '0', '-c', 'copy', ...args),
  }
}

const BARS = ['-f', 'lavfi', '-i', 'testsrc2=size=192x108:rate=30:duration=6']
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '3', '-g', '45', '-pix_fmt', 'yuv420p']

/** A film remuxed from Matroska has frame times in whole milliseconds; ffmpeg gives its last frame the average duration. */
const ROUNDED_MS = 0.7

type Same = (path: string, endToleranceMs?: number) => Promise<MediaIndex>

/** Fails the test if the tables differ from the packets, or are rejected. */
function sameIn(t: Test): Same {
  return async (path, endToleranceMs = ROUNDED_MS) => {
    const [own, packets] = [await direct(path), await scanned(path)]
    if (typeof own === 'string') throw new Error(`${basename(path)}: ${own}`)
    // Packets do not show where seeks land.
    const { videoEndMs, largestGopMs, framesPerSecond, landsOnKeyframes: _lands, landsLateMs: _late, ...rest } = own
    const { videoEndMs: scannedEndMs, largestGopMs: scannedGopMs, framesPerSecond: scannedRate, ...expected } = packets
    // The tables of MP4 are not used for this; for Matroska some clusters are read, by a scan all.
    t.ok((framesPerSecond ?? 0) <= (scannedRate ?? 0) * 1.01, `${basename(path)}: ${framesPerSecond} of ${scannedRate} frames a second`)
    t.strictSame(nearly(rest, expected), expected, basename(path))
    t.ok(Math.abs(videoEndMs - scannedEndMs) <= endToleranceMs, `${basename(path)} ends at ${videoEndMs}, by its packets ${scannedEndMs}`)
    t.ok(Math.abs((largestGopMs ?? 0) - (scannedGopMs ?? 0)) <= endToleranceMs, `${basename(path)}: ${largestGopMs} ${scannedGopMs}`)
    return own
  }
}

t.test('every film of the media set says by its tables what it says by its packets', set ? {} : { skip: 'no media set' }, async (t) => {
  const same = sameIn(t)
  const films = (set?.manifest.files ?? []).map(({ path }) => join(set?.root ?? '', path))
  const read = films.filter((path) => /\.(?:mkv|webm|mp4|m4v)$/.test(path))
  t.equal(read.length, 14)
  // The end of a film with a variable rate is rounded to a millisecond in its edit list.
  for (const path of read) await same(path, 0.02)
  for (const path of films.filter((mediaFile) => !read.includes(mediaFile))) {
    t.equal(await direct(path), 'It is of no container that is read here', path)
  }
})

t.test('Matroska and MP4 with reordered frames say the same as their packets', async (t) => {
  const { mediaFile, copy } = await clips(t.testdir())
  const same = sameIn(t)
  t.equal((await same(mediaFile)).keyframesMs.length, 4)
  await same(await copy('film.mp4'))
  await same(await copy('fast.mp4', '-movflags', '+faststart'))
  await same(await copy('negative.mp4', '-movflags', '+negative_cts_offsets'))
  await same(await copy('unedited.mp4', '-use_editlist', '0'))
  await same(await copy('film.mov'))
  await same(await copy('front.mkv', '-reserve_index_space', '20k'))
  await same(await copy('small-clusters.mkv', '-cluster_time_limit', '100'))
  await same(await copy('silent.mp4', '-an'))
  await same(await copy('silent.mkv', '-an'))
})

t.test('delays and edits say the same as their packets', async (t) => {
  const { mediaFile, copy, run } = await clips(t.testdir())
  const same = sameIn(t)
  for (const container of ['mp4', 'mkv']) {
    const late = ['-itsoffset', '0.7', '-i', mediaFile, '-c', 'copy']
    const { audioStartMs } = await same(await run(`late-audio.${container}`, '-i', mediaFile, ...late, '-map', '0:v', '-map', '1:a'))
    t.equal(Math.round(audioStartMs ?? 0), 679, 'by its priming less than 700')
    await same(await run(`late-video.${container}`, ...late.slice(0, 4), '-i', mediaFile, '-map', '0:v', '-map', '1:a', '-c', 'copy'))
    await same(await run(`both-late.${container}`, ...late, '-map', '0'))
    await same(await run(`cut.${container}`, '-ss', '2.3', '-i', mediaFile, '-map', '0', '-c', 'copy'))
    await same(await run(`cut-at-both-ends.${container}`, '-ss', '1.7', '-t', '2.9', '-i', mediaFile, '-map', '0', '-c', 'copy'))
  }
  await same(await copy('twice.mp4', '-movflags', '+faststart', '-t', '4'))
})

t.test('an edit that begins or ends within the film says the same as its packets', async (t) => {
  const { copy, at } = await clips(t.testdir())
  const same = sameIn(t)
  const mp4 = await copy('film.mp4', '-movflags', '+faststart')
  for (const [fromMs, lengthMs] of [
    [0, 6000],
    [700, 5000],
    [1500, 4500],
    [1501, 1000],
    [3300, 1200],
    [20, 3000],
  ] as const) {
    const path = at(`edited-${fromMs}-${lengthMs}.mp4`)
    await writeFile(path, edited(await readFile(mp4), fromMs, lengthMs))
    await same(path)
  }
})

t.test('open groups, a variable rate and HEVC say the same as their packets', async (t) => {
  const { run } = await clips(t.testdir())
  const same = sameIn(t)
  for (const container of ['mp4', 'mkv']) {
    await same(await run(`open.${container}`, ...BARS, ...X264, '-x264-params', 'open-gop=1'))
    const variable = ['-vf', "select='not(eq(mod(n\\,7)\\,3))+not(mod(n\\,5))'", '-vsync', 'vfr']
    await same(await run(`variable.${container}`, ...BARS, ...variable, ...X264), 34)
    await same(await run(`variable-in-order.${container}`, ...BARS, ...variable, ...X264, '-bf', '0'), 34)
    await same(await run(`ntsc.${container}`, ...BARS, '-r', '24000/1001', ...X264))
  }
  for (const container of ['mp4', 'mkv']) {
    const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=30:bframes=3:open-gop=1']
    await same(await run(`hevc.${container}`, ...BARS, ...hevc, '-pix_fmt', 'yuv420p10le'))
  }
})

t.test('a frame at the time of the next keyframe belongs to its segment, so that no run reads from there', async (t) => {
  const { run } = await clips(t.testdir())
  const same = sameIn(t)
  for (const [container, ticks] of [
    ['mkv', 33],
    ['mp4', 512],
  ] as const) {
    const doubled = ['-bf', '0', '-bsf:v', `setts=ts=if(eq(mod(N\\,45)\\,44)\\,TS+${ticks}\\,TS)`]
    t.equal((await same(await run(`doubled.${container}`, ...BARS, ...X264, ...doubled), 34)).landsOnKeyframes, undefined, container)
    t.equal((await same(await run(`plain.${container}`, ...BARS, ...X264))).landsOnKeyframes, true, container)
  }
})

t.test('with times of decoding instead of presentation no run reads from a keyframe', async (t) => {
  const { copy } = await clips(t.testdir())
  for (const name of ['coded.mkv', 'coded.mp4']) {
    const own = await direct(await copy(name, '-bsf:v', 'setts=pts=DTS:dts=DTS'))
    t.match(own, { landsOnKeyframes: undefined, keyframesMs: Array }, name)
  }
})

t.test('by how much ffmpeg may land late follows from the decoding times of MP4', async (t) => {
  const { run, copy } = await clips(t.testdir())
  const same = sameIn(t)
  t.equal((await same(await copy('edited.mp4'))).landsLateMs, undefined)
  const { landsLateMs, landsOnKeyframes } = await same(await copy('no-edits.mp4', '-use_editlist', '0'))
  t.ok(Math.abs((landsLateMs ?? 0) - 2_000 / 24) <= ROUNDED_MS, `${landsLateMs}: the delay of its first frame`)
  t.equal(landsOnKeyframes, true)
  const sparse = ['-vf', "select='lt(t,2)+not(mod(n,30))'", '-fps_mode', 'vfr', '-enc_time_base', '1:90000']
  const slow = await same(await run('sparse.mp4', ...BARS, ...sparse, ...X264, '-force_key_frames', 'expr:gte(t,n_forced)'), 2_000)
  t.ok((slow.landsLateMs ?? 0) > 500, `${slow.landsLateMs}: frames are reordered over seconds`)
  t.equal(slow.landsOnKeyframes, undefined)
})

t.test('facts that the tables do not contain are left to the packets', async (t) => {
  const { copy, run, mediaFile, at } = await clips(t.testdir())
  t.equal(await direct(await copy('film.ts')), 'It is of no container that is read here')
  t.equal(await direct(await copy('fragments.mp4', '-movflags', '+frag_keyframe+empty_moov')), 'Its samples are in fragments')
  t.equal(await direct(await copy('live.mkv', '-f', 'matroska', '-live', '1')), 'It is cut off, or was never closed')
  t.equal(await direct(await run('mpeg4.mp4', ...BARS, '-c:v', 'mpeg4')), 'Its tracks are of no known kind')
  const bytes = await readFile(mediaFile)
  await writeFile(at('truncated.mkv'), bytes.subarray(0, bytes.length - 100))
  t.equal(await direct(at('truncated.mkv')), 'It is cut off, or was never closed')
})

t.test('Cues that leave out a keyframe, or name what is none, are not believed', async (t) => {
  const { mediaFile, at } = await clips(t.testdir())
  const bytes = await readFile(mediaFile)
  const points = cuePoints(bytes)
  t.equal(points.length, 4)
  for (const [number, point] of points.entries()) {
    const without = Buffer.from(bytes)
    without[point] = 0xec
    await writeFile(at('without.mkv'), without)
    const reason = number === 0 ? 'It does not begin with a listed keyframe' : 'Its Cues do not list every keyframe'
    t.equal(await direct(at('without.mkv')), reason)
    const wrong = Buffer.from(bytes)
    wrong[point + 4 + ((bytes[point + 3] ?? 0) % 0x80) - 1] = 7
    await writeFile(at('wrong.mkv'), wrong)
    t.equal(await direct(at('wrong.mkv')), 'There is no keyframe where the Cues say')
  }
})

t.test('Cues that name only the cluster of a keyframe are understood', async (t) => {
  const { mediaFile, at } = await clips(t.testdir())
  const bytes = await readFile(mediaFile)
  for (const point of cuePoints(bytes)) {
    const positions = bytes.indexOf(0xb7, point)
    for (let element = positions + 2; element < positions + 2 + ((bytes[positions + 1] ?? 0) % 0x80);) {
      // Turns the position within the cluster into a void element.
      if (bytes[element] === 0xf0) bytes[element] = 0xec
      element += 2 + ((bytes[element + 1] ?? 0) % 0x80)
    }
  }
  await writeFile(at('clusters.mkv'), bytes)
  t.strictSame(await direct(at('clusters.mkv')), await direct(mediaFile))
})

t.test('the tracks of a film whose index needs its packets are described as far as its header goes', async (t) => {
  const { copy } = await clips(t.testdir())
  const { tracks } = await readDirectly(await copy('fragments.mp4', '-movflags', '+frag_keyframe+empty_moov'), { signal: never })
  t.match(tracks, [
    { type: 'video', configuration: { type: 'avcC' }, hdr: null },
    { type: 'audio', configuration: { type: 'esds' }, hdr: null },
  ])
})

t.test('a budget that is used up leaves the film to its packets', async (t) => {
  const { mediaFile } = await clips(t.testdir())
  const { times } = await readDirectly(mediaFile, { signal: never, budget: { reads: 5, bytes: 1_000_000 } })
  t.match(times, { message: 'It takes too many reads' })
  const { times: fewBytes } = await readDirectly(mediaFile, { signal: never, budget: { reads: 1000, bytes: 10_000 } })
  t.match(fewBytes, { message: 'It takes too many reads' })
})

/** Offsets of the CuePoints of a small film. */
function cuePoints(mkv: Buffer): readonly number[] {
  const cues = mkv.lastIndexOf(Buffer.from('1c53bb6b', 'hex'))
  return [...mkv.keys()].filter((offset) => offset > cues && mkv[offset] === 0xbb && mkv[offset + 2] === 0xb3)
}

/** The first value, with the second's numbers if they differ only in rounding: half a microsecond up, or to even. */
function nearly<Value>(value: Value, like: Value): Value
function nearly(value: unknown, like: unknown): unknown {
  if (typeof value === 'number' && typeof like === 'number') return Math.abs(value - like) < 0.0011 ? like : value
  if (Array.isArray(value) && Array.isArray(like)) return value.map((each: unknown, index) => nearly(each, like[index]))
  const isObject = typeof value === 'object' && value !== null && typeof like === 'object' && like !== null
  if (!isObject) return value
  const likes = new Map(Object.entries(like))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, nearly(each, likes.get(name))]))
}

/** The film with another edit of its video; times in milliseconds on the film's clock. */
function edited(mp4: Buffer, fromMs: number, lengthMs: number): Buffer {
  const bytes = Buffer.from(mp4)
  const list = bytes.indexOf('elst')
  const timescale = bytes.readUInt32BE(bytes.indexOf('mdhd') + 16)
  const entry = list + 12 * bytes.readUInt32BE(list + 8)
  bytes.writeUInt32BE(lengthMs, entry)
  bytes.writeInt32BE(bytes.readInt32BE(entry + 4) + Math.round((fromMs * timescale) / 1000), entry + 4)
  return bytes
}
