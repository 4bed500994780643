/** Damaged and hostile films: their tables are read or rejected in favour of the packets, within bounds, whatever they contain. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import t, { type Test } from 'tap'
import { createBoundedFile } from '../../../src/adapters/containers/bounded-file.ts'
import { Unsupported } from '../../../src/adapters/containers/unsupported.ts'
import { readDirectly } from '../../../src/adapters/containers/direct-reading.ts'
import { codecString } from '../../../src/domain/streaming/codec-string.ts'
import { makeClip, mediaSet, programs } from '../../fixtures/media-files.ts'

const never = new AbortController().signal
const { ffmpeg } = await programs
const set = mediaSet()
const BUDGET = { reads: 2_000, bytes: 4_000_000 }
const MUTATIONS = 400

/** Mulberry32: the same mutations in every run. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A copy that is truncated, or has flipped bits, bytes set to large values or zero, or moved pieces; mostly inside its tables. */
function mutated(mediaFile: Buffer, tables: readonly number[], below: (below: number) => number): Buffer {
  const bytes = Buffer.from(mediaFile)
  if (below(8) === 0) return bytes.subarray(0, below(bytes.length))
  for (let times = 1 + below(4); times > 0; times--) {
    const near = tables[below(tables.length)] ?? 0
    const at = Math.min(bytes.length - 9, below(3) === 0 ? below(bytes.length) : near + below(160))
    const how = below(5)
    if (how === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
    if (how === 1) bytes.fill(0xff, at, at + 1 + below(8))
    if (how === 2) bytes.fill(0, at, at + 1 + below(8))
    if (how === 3) bytes[at] = below(256)
    if (how === 4) bytes.copy(bytes, at, below(bytes.length), bytes.length)
  }
  return bytes
}

async function survives(t: Test, path: string, what: string): Promise<boolean> {
  const startedAt = process.cpuUsage()
  const { times, tracks } = await readDirectly(path, { signal: never, budget: BUDGET })
  const { user, system } = process.cpuUsage(startedAt)
  if (user + system > 1_500_000) t.fail(`${what} takes ${(user + system) / 1000} ms`)
  for (const { configuration } of tracks ?? []) if (configuration) codecString(configuration.type, configuration.bytes)
  if (times instanceof Unsupported) return false
  const numbers = [times.videoStartUs, times.videoEndUs, times.audioStartUs ?? 0, ...times.keyframes.map(({ atUs }) => atUs)]
  if (!numbers.every(Number.isSafeInteger)) t.fail(`${what} has times that are none`)
  return true
}

for (const [name, output] of Object.entries({
  'film.mkv': [],
  'film.mp4': ['-movflags', '+faststart'],
  'tail.mp4': [],
  'fragments.mp4': ['-movflags', '+frag_keyframe+empty_moov'],
})) {
  t.test(`${MUTATIONS} damaged copies of ${name} are read within bounds`, async (t) => {
    const folder = t.testdir()
    const mediaFile = await makeClip({
      path: join(folder, 'source.mkv'),
      seconds: 2,
      width: 96,
      height: 54,
      keyframeInterval: 12,
      bFrames: 2,
    })
    const path = join(folder, name)
    await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-i', mediaFile, '-map', '0', '-c', 'copy', ...output, path])
    const bytes = await readFile(path)
    const marks = ['moov', 'trak', 'stbl', 'stts', 'stsc', 'elst', 'stsd'].flatMap((box) => placesOf(bytes, Buffer.from(box)))
    const elements = ['1a45dfa3', '1549a966', '1654ae6b', '1c53bb6b', '1f43b675'].flatMap((id) => placesOf(bytes, Buffer.from(id, 'hex')))
    const below = chance(20261121)
    let read = 0
    for (let copy = 0; copy < MUTATIONS; copy++) {
      await writeFile(path, mutated(bytes, [0, ...marks, ...elements], below))
      if (await survives(t, path, `copy ${copy} of ${name}`)) read++
    }
    t.comment(`${read} of ${MUTATIONS} could still be read`)
    t.pass('none threw, hung or read without end')
  })
}

t.test('every damaged file of the media set is read within bounds', set ? {} : { skip: 'no media set' }, async (t) => {
  for (const { path } of set?.manifest.broken ?? []) {
    if (!/\.(?:mkv|mp4|webm|avi)$/.test(path)) continue
    const believed = await survives(t, join(set?.root ?? '', path), path)
    // Only a file beside this one is damaged.
    t.equal(believed, path.includes('Bad Neighbours'), path)
  }
})

t.test('reads stop at the end of the file, at the budget and at the signal', async (t) => {
  const read = async (_bytes: Uint8Array, _at: number, length: number) => ({ bytesRead: length, buffer: new Uint8Array(length) })
  const stop = new AbortController()
  const make = (budget = BUDGET) => createBoundedFile({ file: { read }, sizeBytes: 1_000_000, signal: stop.signal, budget })
  for (const [offset, length] of [
    [1_000_000, 1],
    [-1, 1],
    [0, -1],
    [NaN, 1],
    [0, Infinity],
    [2 ** 60, 1],
    [0.5, 1],
  ] as const) {
    await t.rejects(make().read(offset, length), Unsupported, `${offset} ${length}`)
  }
  const few = make({ reads: 2, bytes: 1_000_000 })
  await few.read(0, 10)
  await few.read(8190, 100)
  await few.read(8200, 10)
  await t.rejects(few.read(500_000, 10), Unsupported)
  await t.rejects(make({ reads: 10, bytes: 20_000 }).read(0, 20_001), Unsupported)
  stop.abort(new Error('stop'))
  await t.rejects(make().read(0, 1), { message: 'stop' })
})

function placesOf(bytes: Buffer, mark: Buffer): readonly number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(mark); at >= 0 && places.length < 100; at = bytes.indexOf(mark, at + 1)) places.push(at)
  return places
}
