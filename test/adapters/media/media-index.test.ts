import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMediaIndex } from '../../../src/adapters/media/media-index.ts'
import type { PacketScan } from '../../../src/adapters/media/packet-scan.ts'

const never = new AbortController().signal
const fingerprint = 'ab'.repeat(32)
const scan: PacketScan = { zeroMs: -7, keyframesMs: [0, 2000.5], videoStartMs: 0, audioStartMs: null, videoEndMs: 4000, whole: true }
const { whole: _, ...index } = scan

/** A scan that ends when told to. */
function slowScan() {
  const calls: { readonly signal: AbortSignal; readonly end: (scan: PacketScan) => void }[] = []
  const make = (_: string, signal: AbortSignal): Promise<PacketScan> => {
    const { promise, resolve, reject } = Promise.withResolvers<PacketScan>()
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
    '{"version":1',
    '{"version":1}',
    JSON.stringify({ version: 0, ...index }),
    JSON.stringify({ version: 1, ...index, zeroMs: 'x' }),
  ]) {
    writeFileSync(file, damaged)
    const find = createMediaIndex({ folder, make: async () => scan })
    t.strictSame(await find('/a.mkv', fingerprint, never), index, damaged)
    t.strictSame(JSON.parse(readFileSync(file, 'utf8')), { version: 1, ...index })
  }
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
