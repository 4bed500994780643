import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { notesIn } from '../../src/app/audit/signed-note.ts'
import { userStream } from '../../src/events/streams.ts'
import { keepCheckpoints } from '../../src/wiring/checkpoint-file.ts'
import { openNodeFixture, type NodeFixture } from '../fixtures/node-fixture.ts'

const HOUR_MS = 3_600_000

async function keeping(t: Parameters<typeof openNodeFixture>[0], file: string) {
  const node = await openNodeFixture(t)
  await node.person()
  await node.seen()
  const faults: unknown[] = []
  const stop = keepCheckpoints({ services: node, clock: node.clock, file, caughtUp: node.seen, onError: (cause) => faults.push(cause) })
  return { node, stop, faults }
}

const sizesIn = (file: string): readonly number[] => notesIn(readFileSync(file, 'utf8')).map((note) => Number(note.split('\n')[1]))

/** Settles when the log contains this many seals: files are written in real time. */
async function sealed(node: NodeFixture, count: number): Promise<void> {
  for (;;) {
    const events = await node.events()
    if (events.filter(({ type }) => type === 'LogSealed').length >= count) return node.seen()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

t.test('a checkpoint is appended at the start and each hour in which something happened, behind what is there', async (t) => {
  const file = join(t.testdir(), 'checkpoints')
  writeFileSync(file, 'kept by hand\n')
  const { node, stop, faults } = await keeping(t, file)
  await sealed(node, 1)
  for (const hour of [1, 2, 3]) {
    if (hour !== 2) await node.person()
    await node.clock.advance(HOUR_MS)
    if (hour !== 2) await sealed(node, hour === 1 ? 2 : 3)
  }
  const text = readFileSync(file, 'utf8')
  t.match(text, /^kept by hand\n/)
  const notes = notesIn(text.slice('kept by hand\n'.length))
  t.equal(notes.length, 3, 'none of the hour without an event')
  for (const note of notes) t.match(await node.checkpoints.verify(note), { valid: true })
  await stop()
  t.strictSame(faults, [])
})

t.test('the last checkpoint, at the stop, holds what the audit does not show yet', async (t) => {
  const file = join(t.testdir(), 'checkpoints')
  const { node, stop } = await keeping(t, file)
  await sealed(node, 1)
  const { caller } = await node.person()
  const target = { stream: userStream(caller.userId), decider: { initial: null, evolve: () => null } }
  for (let n = 1; n <= 500; n++) {
    const data = { userId: caller.userId, maxConcurrentStreams: n }
    await node.commandHandler.execute(target, () => [{ type: 'UserStreamLimitChanged', data }], { actor: 'cli', command: 'test' })
  }
  const { length } = await node.events()
  t.ok((await node.auditTree.size()) < length, 'the audit is behind')
  await stop()
  t.equal(sizesIn(file).at(-1), length)
})

t.test('a checkpoint that was cut off is removed before the next one is appended', async (t) => {
  const file = join(t.testdir(), 'checkpoints')
  const { node, stop } = await keeping(t, file)
  await sealed(node, 1)
  await stop()
  const whole = readFileSync(file)
  const [name = ''] = whole.toString().split('\n')
  for (const torn of [name.slice(0, 9), `${name}\n12`, whole.toString().slice(0, -7), '\0\0\0']) {
    writeFileSync(file, Buffer.concat([whole, Buffer.from(torn)]))
    await node.person()
    await node.seen()
    const again = keepCheckpoints({
      services: node,
      clock: node.clock,
      file,
      caughtUp: node.seen,
      onError: (cause) => t.fail(String(cause)),
    })
    await again()
    const text = readFileSync(file)
    t.ok(text.subarray(0, whole.length).equals(whole), 'what was whole stays')
    t.ok(text.length > whole.length, 'another one is appended')
    for (const note of notesIn(text.toString())) t.match(await node.checkpoints.verify(note), { valid: true }, torn)
    t.match(await node.checkpoints.read(text.toString()), { torn: 0, skipped: 0 })
  }
})

t.test('a file that cannot be written is reported, and the server stops all the same', async (t) => {
  const folder = t.testdir()
  appendFileSync(join(folder, 'plain'), '')
  const { stop, faults } = await keeping(t, join(folder, 'plain', 'checkpoints'))
  await stop()
  t.match(faults.at(-1), { message: /No checkpoint could be appended to .* \(MARQUEE_CHECKPOINT_FILE\)/ })
})
