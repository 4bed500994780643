import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import type { Lease, Leases } from '../../../src/ports/leases.ts'
import { overNats, overOwnNats } from '../../fakes/nats.ts'
import { connected, startProgram, startTwo, timed } from '../../fixtures/program.ts'
import { until } from '../../fixtures/until.ts'

/** A busy server may take longer to create the buckets than a program waits for one reply. */
async function acquirePatiently(leases: Leases, key: string): Promise<Lease | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await leases.acquire(key, 60)
    } catch (cause) {
      if (tries === 5 || !(cause instanceof ServerUnavailable)) throw cause
    }
  }
}

await overNats(t, (t, nats) => {
  t.jobs = 4

  t.test('many programs that start at once make the buckets once', { buffered: true }, async (t) => {
    const url = nats.url()
    const programs = Array.from({ length: 8 }, () => startProgram(t, url))
    await connected(programs)
    const own = await Promise.all(programs.map(({ leases }, number) => acquirePatiently(leases, `own.${number}`)))
    const tokens = own.map((lease) => lease?.token ?? 0)
    t.equal(new Set(tokens).size, 8)
    t.ok(tokens.every((token) => Number.isSafeInteger(token) && Math.abs(token - Date.now()) < 60_000))
    const shared = await Promise.all(programs.map(({ leases }) => leases.acquire('shared', 15)))
    t.equal(shared.filter((lease) => lease !== null).length, 1)
  })

  t.test('any text is a key', { buffered: true }, async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    for (const key of ['scan.0199', 'a..b', '.', '', 'Größe *>', 'x='.repeat(100)]) {
      t.ok(await one.leases.acquire(key, 15))
      t.equal(await other.leases.acquire(key, 60), null)
      t.equal(await other.leases.held(key), true)
      t.equal(await other.leases.held(`${key}1`), false)
    }
  })

  t.test('a holder that is cut off knows its loss before another gets the key', { buffered: true }, async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    // Its lifetime starts between the request and the reply.
    const askedAt = performance.now()
    const lease = await one.leases.acquire('a', 5)
    const heldAt = performance.now()
    await one.connection.close()
    let lostAt = Infinity
    lease?.lost.addEventListener('abort', () => (lostAt = performance.now()))
    await until(async () => (await other.leases.acquire('a', 5)) !== null)
    const takenAt = performance.now()
    const [lostMs, takenMs] = [lostAt - askedAt, takenAt - heldAt]
    t.ok(lostMs > 4000 && lostAt < takenAt && takenMs < 6000, `lost after ${lostMs} ms, taken after ${takenMs} ms`)
  })

  t.test(
    'a key that may be taken from an ended program is taken when its connection is gone, and only then',
    { buffered: true },
    async (t) => {
      const [one, other] = await startTwo(t, nats.url())
      const lease = await one.leases.acquire('a', 60)
      for (let look = 0; look < 4; look++) {
        t.equal(await other.leases.acquire('a', 60, { fromEnded: true }), null, 'the holder is there')
        await sleep(300)
      }
      await one.connection.close()
      t.equal(await other.leases.acquire('a', 60), null, 'who does not say so waits for the lifetime')
      let taken: Lease | null = null
      await until(async () => (taken = await other.leases.acquire('a', 60, { fromEnded: true })) !== null)
      const { token, takenFrom } = taken as unknown as Lease
      t.ok(token > (lease?.token ?? 0))
      t.match(takenFrom, /^program-\d+$/)
    },
  )

  t.test('releasing while a renewal is on its way frees the key', { buffered: true }, async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const keys = Array.from({ length: 10 }, (_, number) => `key.${number}`)
    const leases = await Promise.all(keys.map((key) => one.leases.acquire(key, 5)))
    // The renewals start a third of the lifetime after the keys were acquired.
    await Promise.all(leases.map((lease, number) => sleep(1655 + 2 * number).then(() => lease?.release())))
    for (const key of keys) t.ok(await other.leases.acquire(key, 5))
  })
})

await overOwnNats(t, async (t, nats) => {
  t.test('NATS is away for less than a lifetime: what was held is held on', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const lease = await one.leases.acquire('a', 5)
    await sleep(1000)
    await nats.server.kill()
    await sleep(2000)
    await nats.server.restart()
    await sleep(6000)
    t.equal(lease?.lost.aborted, false)
    t.equal(await other.leases.acquire('a', 5), null)
  })

  t.test('NATS is away for longer: EngineAway at once, held leases are lost in time, tokens go on rising', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const lease = await one.leases.acquire('a', 5)
    const took = performance.now()
    await nats.server.kill()
    for (const asked of [() => one.leases.acquire('b', 15), () => other.leases.held('a')]) {
      const { error, ms } = await timed(asked())
      t.ok(error instanceof ServerUnavailable && ms < 2500, `${ms} ms`)
    }
    await until(() => lease?.lost.aborted === true)
    const lostMs = performance.now() - took
    t.ok(lostMs > 3000 && lostMs < 5000, `${lostMs} ms`)
    await lease?.release()
    await nats.server.restart()
    let token = 0
    await until(async () => (token = (await other.leases.acquire('a', 5).catch(() => null))?.token ?? 0) > 0)
    t.ok(token > (lease?.token ?? Infinity))
  })

  t.test('NATS loses its storage: who held knows at the next renewal, and tokens rise all the same', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    for (let number = 0; number < 40; number++) await (await other.leases.acquire(`k${number}`, 15))?.release()
    const lease = await one.leases.acquire('a', 15)
    const took = performance.now()
    await nats.server.kill()
    await rm(nats.store, { recursive: true })
    await nats.server.restart()
    let token = 0
    await until(async () => (token = (await other.leases.acquire('a', 15).catch(() => null))?.token ?? 0) > 0)
    t.ok(token > (lease?.token ?? Infinity), `${token} after ${lease?.token}`)
    await until(() => lease?.lost.aborted === true)
    t.ok(performance.now() - took < 7000)
    await lease?.release()
    t.equal(await one.leases.held('a'), true)
  })

  t.test('a stopped NATS: leases are lost in time, and a key asked for meanwhile is free again when it continues', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const kept = await one.leases.acquire('kept', 15)
    await nats.server.suspend()
    for (const asked of [() => other.leases.acquire('b', 60), () => other.leases.held('kept')]) {
      const { error, ms } = await timed(asked())
      t.ok(error instanceof ServerUnavailable && ms < 2500, `${ms} ms`)
    }
    nats.server.signal('SIGCONT')
    await until(async () => (await one.leases.acquire('b', 60)) !== null)
    t.equal(kept?.lost.aborted, false, 'what outlives a short stop is held on')
    const lease = await one.leases.acquire('a', 5)
    const took = performance.now()
    await nats.server.suspend()
    await until(() => lease?.lost.aborted === true)
    t.ok(performance.now() - took < 7_000)
    nats.server.signal('SIGCONT')
    let token = 0
    await until(async () => (token = (await other.leases.acquire('a', 5).catch(() => null))?.token ?? 0) > 0)
    t.ok(token > (lease?.token ?? Infinity))
  })

  t.test('a NATS that hangs for longer than its connections last: what it stores late is removed', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const keys = Array.from({ length: 6 }, (_, number) => `kept.${number}`)
    const leases: (Lease | null)[] = []
    for (const key of keys) {
      leases.push(await one.leases.acquire(key, 15))
      await sleep(1000)
    }
    await nats.server.suspend()
    await Promise.all(['a', 'b', 'c'].map((key) => t.rejects(one.leases.acquire(key, 60), { code: 'engine-away' })))
    await until(() => leases.every((lease) => lease?.lost.aborted), 30_000)
    nats.server.signal('SIGCONT')
    const continuedAtMs = performance.now()
    const takes = (key: string) => async () => (await other.leases.acquire(key, 60).catch(() => null)) !== null
    await Promise.all([...keys, 'a', 'b', 'c'].map((key) => until(takes(key), 30_000)))
    t.ok(performance.now() - continuedAtMs < 8_000, `${performance.now() - continuedAtMs} ms`)
    await sleep(4_000)
    for (const key of [...keys, 'a']) t.equal(await one.leases.held(key), true, 'the entry of another holder stays')
  })
})
