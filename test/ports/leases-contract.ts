/** Tests that all leases must pass (src/ports/leases.ts), whatever stores them. */
import type { Test } from 'tap'
import type { Leases } from '../../src/ports/leases.ts'

/** The same leases as two nodes see them. */
export interface LeasesUnderTest {
  readonly leases: Leases
  readonly other: Leases
  /** Cuts `leases` off from the engine: it renews nothing any more. */
  readonly stall: () => void | Promise<void>
  /** Advances the time. */
  readonly elapse: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
}

export function leasesContract(t: Test, make: () => Promise<LeasesUnderTest>): void {
  const test = (title: string, run: (t: Test, subject: LeasesUnderTest) => Promise<void>): void => {
    t.test(title, { buffered: true }, async (t) => {
      const subject = await make()
      t.teardown(subject.close)
      await run(t, subject)
    })
  }

  test('a free key is taken, a held one is not, by nobody', async (t, { leases, other }) => {
    const lease = await leases.acquire('scan.one', 15)
    t.equal(lease?.lost.aborted, false)
    t.equal(await leases.acquire('scan.one', 15), null)
    t.equal(await other.acquire('scan.one', 5), null)
    t.ok(await other.acquire('scan.two', 15))
  })

  test('of many at once exactly one gets the key', async (t, { leases, other }) => {
    const racers = await Promise.all(Array.from({ length: 10 }, (_, number) => (number % 2 ? leases : other).acquire('scan.one', 15)))
    t.equal(racers.filter((lease) => lease !== null).length, 1)
  })

  test('tokens rise with every acquisition of any key by anybody', async (t, { leases, other }) => {
    const tokens: number[] = []
    for (const [who, key] of [
      [leases, 'a'],
      [other, 'b'],
      [leases, 'c'],
      [other, 'a'],
      [leases, 'a'],
    ] as const) {
      const lease = await who.acquire(key, 5)
      tokens.push(lease?.token ?? Number.NaN)
      await lease?.release()
    }
    t.ok(tokens.every((token, index) => index === 0 || token > (tokens[index - 1] ?? Infinity)))
  })

  test('held says whether anybody holds a key', async (t, { leases, other }) => {
    t.equal(await other.held('scan.one'), false)
    const lease = await leases.acquire('scan.one', 15)
    for (const one of [leases, other]) t.equal(await one.held('scan.one'), true)
    await lease?.release()
    for (const one of [leases, other]) t.equal(await one.held('scan.one'), false)
  })

  test('a released lease is lost at once and its key is free; releasing twice is no harm', async (t, { leases, other }) => {
    const lease = await leases.acquire('scan.one', 15)
    await lease?.release()
    t.equal(lease?.lost.aborted, true)
    const next = await other.acquire('scan.one', 15)
    t.ok(next)
    await lease?.release()
    t.equal(next?.lost.aborted, false)
    t.equal(await leases.acquire('scan.one', 15), null)
  })

  test('a lease is renewed while it is held, far beyond its lifetime', async (t, { leases, other, elapse }) => {
    const lease = await leases.acquire('scan.one', 5)
    for (let second = 0; second < 12; second++) await elapse(1000)
    t.equal(lease?.lost.aborted, false)
    t.equal(await other.acquire('scan.one', 5), null)
  })

  test('a node that is cut off loses its leases within their lifetime, and another may take them', async (t, subject) => {
    const { leases, other, stall, elapse } = subject
    const lease = await leases.acquire('scan.one', 5)
    await stall()
    t.equal(lease?.lost.aborted, false)
    // The last renewal, its lifetime, and the delay of a check.
    await elapse(5000)
    await elapse(2000)
    t.equal(lease?.lost.aborted, true)
    t.equal(await other.held('scan.one'), false)
    const next = await other.acquire('scan.one', 5)
    t.ok((next?.token ?? 0) > (lease?.token ?? Infinity))
    await lease?.release()
    t.equal(await other.held('scan.one'), true)
  })

  test('close gives back everything that is held', async (t, { leases, other }) => {
    const held = await Promise.all(['a', 'b'].map((key) => leases.acquire(key, 60)))
    const kept = await other.acquire('c', 60)
    await leases.close()
    t.ok(held.every((lease) => lease?.lost.aborted))
    t.equal(kept?.lost.aborted, false)
    for (const key of ['a', 'b']) t.ok(await other.acquire(key, 60))
    await leases.close()
  })
}
