import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryIdempotencyStore } from '../../../src/adapters/memory/idempotency-store.ts'
import { createLateCompletions } from '../../../src/http/server/late-completions.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { IDEMPOTENCY_RUNNING_MS, type IdempotencyStore } from '../../../src/ports/idempotency-store.ts'

const REQUEST = { fingerprint: 'what is asked', seed: 'a seed', owner: 'ann' }

/** An idempotency store that can be made unavailable. */
function start() {
  const clock = createTestClock()
  const kept = createMemoryIdempotencyStore({ clock })
  const engine = { away: false }
  const orAway = async <T>(work: () => Promise<T>): Promise<T> => {
    if (engine.away) throw new ServerUnavailable('MongoDB')
    return work()
  }
  const idempotencyStore: IdempotencyStore = {
    begin: (...ask) => orAway(() => kept.begin(...ask)),
    settle: (...ask) => orAway(() => kept.settle(...ask)),
    release: (...ask) => orAway(() => kept.release(...ask)),
    forget: (...ask) => orAway(() => kept.forget(...ask)),
    close: () => kept.close(),
  }
  const late = createLateCompletions({ idempotencyStore, clock })
  const passed = (ms: number) => clock.advance(ms)
  return { engine, kept, late, passed }
}

t.test('an outcome that could not be kept is kept when the engine is back', async (t) => {
  const { engine, kept, late, passed } = start()
  await late.begin('settled', REQUEST)
  await late.begin('released', REQUEST)
  engine.away = true
  await late.settle('settled', 'the answer')
  await late.release('released')
  await passed(5000)
  t.match(await kept.begin('settled', REQUEST), { state: 'running' })
  engine.away = false
  await passed(1000)
  t.match(await kept.begin('settled', REQUEST), { state: 'settled', answer: 'the answer' })
  t.match(await kept.begin('released', REQUEST), { state: 'begun', seed: REQUEST.seed })
})

t.test('a repeat that comes before is answered by what became of the first one', async (t) => {
  const { engine, late } = start()
  await late.begin('key', REQUEST)
  engine.away = true
  await late.settle('key', 'the answer')
  await t.rejects(late.begin('key', REQUEST), ServerUnavailable)
  engine.away = false
  t.match(await late.begin('key', REQUEST), { state: 'settled', answer: 'the answer' })
})

t.test('what is older than a run may be does not overwrite the run after it', async (t) => {
  const { engine, kept, late, passed } = start()
  await late.begin('key', REQUEST)
  engine.away = true
  await late.settle('key', 'of the first run')
  await passed(IDEMPOTENCY_RUNNING_MS)
  t.match(await kept.begin('key', REQUEST), { state: 'begun' })
  engine.away = false
  await passed(1000)
  t.match(await kept.begin('key', REQUEST), { state: 'running' })
})

t.test('other failures are reported', async (t) => {
  const { late } = start()
  const broken = createLateCompletions({
    idempotencyStore: { ...late, settle: async () => Promise.reject(new Error('broken')) },
    clock: createTestClock(),
  })
  await t.rejects(broken.settle('key', 'the answer'), { message: 'broken' })
})
