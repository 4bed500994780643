import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMediaIndex, hasIndex } from '../../../src/adapters/ffmpeg/media-index.ts'
import type { MadeIndex } from '../../../src/adapters/ffmpeg/packet-scan.ts'

const never = new AbortController().signal
const fingerprint = 'ab'.repeat(32)
const scan: MadeIndex = { zeroMs: -7, keyframesMs: [0, 2000.5], videoStartMs: 0, audioStartMs: null, videoEndMs: 4000, whole: true }
const { whole: _, ...index } = scan

/** A scan that ends when the test says so. */
function slowScan() {
  const calls: { readonly signal: AbortSignal; readonly end: (scan: MadeIndex) => void }[] = []
  const make = (_path: string, _fingerprint: string, signal: AbortSignal): Promise<MadeIndex> => {
    const { promise, resolve, reject } = Promise.withResolvers<MadeIndex>()
    signal.addEventListener('abort', () => reject(new Error('stopped')))
    calls.push({ signal, end: resolve })
    started.resolve()
    return promise
  }
  const started = Promise.withResolvers<void>()
  return { calls, make, started: started.promise }
}

t.test('callers at the same time share one scan; one who comes later gets what was kept', async (t) => {
  const folder = t.testdir()
  const { calls, make, started } = slowScan()
  const find = createMediaIndex({ folder, make })
  const both = [find('/a.mkv', fingerprint, never), find('/copy of a.mkv', fingerprint, never)]
  await started
  calls[0]?.end(scan)
  t.strictSame(await Promise.all(both), [index, index])
  t.strictSame(await find('/a.mkv', fingerprint, never), index)
  t.equal(calls.length, 1)
  t.strictSame(readdirSync(join(folder, 'ab')), [`${fingerprint}.json`])
})

t.test('one caller that leaves does not take the scan from the other; the last one stops it', async (t) => {
  const { calls, make, started } = slowScan()
  const find = createMediaIndex({ folder: t.testdir(), make })
  const [first, second] = [new AbortController(), new AbortController()]
  const leaving = [find('/a.mkv', fingerprint, first.signal), find('/a.mkv', fingerprint, second.signal)] as const
  await started
  first.abort(new Error('first left'))
  await t.rejects(leaving[0], { message: 'first left' })
  t.equal(calls[0]?.signal.aborted, false)
  second.abort(new Error('second left'))
  await t.rejects(leaving[1], { message: 'second left' })
  t.equal(calls[0]?.signal.aborted, true)
})

t.test('a file that is damaged, or of another version, is made again', async (t) => {
  const folder = t.testdir()
  mkdirSync(join(folder, 'ab'))
  const file = join(folder, 'ab', `${fingerprint}.json`)
  for (const damaged of [
    '',
    '{"version":6',
    '{"version":6}',
    JSON.stringify({ version: 1, ...index }),
    JSON.stringify({ version: 4, ...index }),
    JSON.stringify({ version: 6, ...index, zeroMs: 'x' }),
  ]) {
    writeFileSync(file, damaged)
    const find = createMediaIndex({ folder, make: async () => scan })
    t.strictSame(await find('/a.mkv', fingerprint, never), index, damaged)
    t.strictSame(JSON.parse(readFileSync(file, 'utf8')), { version: 6, ...index })
  }
})

t.test('bytes, offsets and HDR facts are kept as they are', async (t) => {
  const folder = t.testdir()
  const full: MadeIndex = {
    ...scan,
    keyframeOffsets: [40, null],
    keyframeLeadsMs: [0, 80],
    keyframeKinds: ['closed', 'open'],
    largestGopMs: 2000.5,
    tracks: [
      {
        type: 'video',
        configuration: { type: 'hvcC', bytes: Uint8Array.of(1, 2, 255) },
        hdr: { mastering: null, contentLight: { peakNits: 1000, averageNits: 400 }, dolbyVision: null },
      },
      { type: 'audio', configuration: null, hdr: null },
    ],
  }
  const { whole: _whole, ...expected } = full
  t.strictSame(await createMediaIndex({ folder, make: async () => full })('/a.mkv', fingerprint, never), expected)
  t.strictSame(await createMediaIndex({ folder, make: async () => scan })('/a.mkv', fingerprint, never), expected, 'as it was kept')
})

t.test('an index is at hand once it is kept, but not one of an older version', async (t) => {
  const folder = t.testdir()
  t.equal(await hasIndex(folder, fingerprint), false)
  await createMediaIndex({ folder, make: async () => scan })('/a.mkv', fingerprint, never)
  t.equal(await hasIndex(folder, fingerprint), true)
  writeFileSync(join(folder, 'ab', `${fingerprint}.json`), JSON.stringify({ version: 1, ...index }))
  t.equal(await hasIndex(folder, fingerprint), false)
})

t.test('a scan that could not read the whole file is answered but not kept', async (t) => {
  const folder = t.testdir()
  const find = createMediaIndex({ folder, make: async () => ({ ...scan, whole: false }) })
  t.strictSame(await find('/a.mkv', fingerprint, never), index)
  t.strictSame(readdirSync(folder), [])
})

t.test('a folder that cannot be written costs no caller its index', async (t) => {
  const folder = join(t.testdir({ file: '' }), 'file')
  t.strictSame(await createMediaIndex({ folder, make: async () => scan })('/a.mkv', fingerprint, never), index)
})

t.test('only a fingerprint is a name', async (t) => {
  const find = createMediaIndex({ folder: t.testdir(), make: async () => scan })
  for (const name of ['', '../../etc/passwd', fingerprint.toUpperCase(), `${fingerprint}0`]) {
    await t.rejects(find('/a.mkv', name, never), { message: 'Not a fingerprint' }, name)
  }
})
