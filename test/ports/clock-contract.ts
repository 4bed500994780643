/** Tests that every clock must pass (src/ports/clock.ts). */
import type { Test } from 'tap'
import type { Clock } from '../../src/ports/clock.ts'

export interface ClockUnderTest {
  readonly clock: Clock
  /** Advances its time. */
  readonly elapse: (ms: number) => Promise<void>
}

export function clockContract(t: Test, make: () => ClockUnderTest): void {
  t.test('time goes on and monotonic time never goes back', async (t) => {
    const { clock, elapse } = make()
    const [now, monotonic] = [clock.now(), clock.monotonic()]
    await elapse(30)
    t.ok(clock.monotonic() - monotonic >= 29)
    t.ok(clock.now() - now >= 29)
    t.ok(new Date(now).getUTCFullYear() >= 2026)
  })

  t.test('sleep settles after its time and not before', async (t) => {
    const { clock, elapse } = make()
    let awake = false
    const since = clock.monotonic()
    const sleeping = clock.sleep(40).then(() => (awake = true))
    await elapse(10)
    t.equal(awake, false)
    await elapse(60)
    await sleeping
    t.ok(clock.monotonic() - since >= 39)
  })

  t.test('sleep rejects with the reason of its signal, at once when it is aborted before', async (t) => {
    const { clock } = make()
    const reason = new Error('no longer wanted')
    const ending = new AbortController()
    const sleeping = t.rejects(clock.sleep(60_000, ending.signal), reason)
    ending.abort(reason)
    await sleeping
    await t.rejects(clock.sleep(60_000, AbortSignal.abort(reason)), reason)
  })

  t.test('a signal that is aborted after the sleep does nothing', async (t) => {
    const { clock, elapse } = make()
    const ending = new AbortController()
    const sleeping = clock.sleep(5, ending.signal)
    await elapse(20)
    await sleeping
    ending.abort()
    t.equal(await sleeping, undefined)
  })

  t.test('after calls once, unless it was called off', async (t) => {
    const { clock, elapse } = make()
    const called: string[] = []
    clock.after(10, () => called.push('kept'))
    const callOff = clock.after(10, () => called.push('called off'))
    callOff()
    await elapse(60)
    callOff()
    t.strictSame(called, ['kept'])
  })

  t.test('every calls again and again until it is stopped', async (t) => {
    const { clock, elapse } = make()
    const calls: number[] = []
    const stop = clock.every(10, () => void calls.push(clock.monotonic()))
    const since = clock.monotonic()
    for (let waits = 0; waits < 500 && calls.length < 3; waits++) await elapse(10)
    t.ok(calls.length >= 3)
    t.ok(clock.monotonic() - since >= 29)
    stop()
    const before = calls.length
    await elapse(50)
    t.equal(calls.length, before)
  })

  t.test('a delay longer than any timer of Node does not fire at once', async (t) => {
    const { clock, elapse } = make()
    const called: string[] = []
    const [stopAfter, stopEvery] = [clock.after(2 ** 31 + 5, () => called.push('after')), clock.every(2 ** 32, () => called.push('every'))]
    const ending = new AbortController()
    const sleeping = t.rejects(
      clock.sleep(2 ** 40, ending.signal).then(() => called.push('sleep')),
      { name: 'AbortError' },
    )
    await elapse(30)
    t.strictSame(called, [])
    stopAfter()
    stopEvery()
    ending.abort()
    await sleeping
  })
}
