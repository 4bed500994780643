import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryIdempotencyStore } from '../../src/adapters/memory/idempotency-store.ts'
import { createSqliteIdempotencyStore } from '../../src/adapters/sqlite/idempotency-store.ts'
import { outcomesContract } from './outcomes-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-outcomes-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const fileName = () => join(folder, `${files++}.sqlite`)

t.test('in memory', async (t) => {
  outcomesContract(t, async () => {
    const clock = createTestClock()
    const idempotencyStore = createMemoryIdempotencyStore({ clock, max: 5, maxOfOwner: 3 })
    return {
      idempotencyStore,
      elapse: (ms) => clock.advance(ms),
      jump: (ms) => clock.setNow(clock.now() + ms),
      close: () => idempotencyStore.close(),
    }
  })
})

t.test('in SQLite', async (t) => {
  outcomesContract(t, async () => {
    const clock = createTestClock()
    const idempotencyStore = createSqliteIdempotencyStore({ file: fileName(), clock, max: 5, maxOfOwner: 3 })
    return {
      idempotencyStore,
      elapse: (ms) => clock.advance(ms),
      jump: (ms) => clock.setNow(clock.now() + ms),
      close: () => idempotencyStore.close(),
    }
  })

  t.test('they are kept over a crash: answers as they are, and what was running is begun again with its seed', async (t) => {
    const [file, clock] = [fileName(), createTestClock()]
    const before = createSqliteIdempotencyStore({ file, clock })
    await before.begin('done', { fingerprint: 'f', seed: 'one', owner: 'ann' })
    await before.settle('done', 'made')
    await before.begin('cut', { fingerprint: 'f', seed: 'two', owner: 'ann' })
    await before.close()
    const after = createSqliteIdempotencyStore({ file, clock })
    t.teardown(() => after.close())
    t.strictSame(await after.begin('done', { fingerprint: 'f', seed: 'x', owner: 'ann' }), { state: 'settled', answer: 'made' })
    t.strictSame(await after.begin('cut', { fingerprint: 'f', seed: 'x', owner: 'ann' }), { state: 'begun', seed: 'two' })
    t.equal(statSync(file).mode & 0o777, 0o600)
  })
})
