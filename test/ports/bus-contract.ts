/** Tests that every bus must pass (src/ports/bus.ts), whatever carries it. */
import type { Test } from 'tap'
import type { JsonObject } from '../../src/events/envelope.ts'
import { MAX_BODY_BYTES, NoResponder, ReplyTimeout, type Bus, type Message } from '../../src/ports/bus.ts'

/** The same bus as two programs see it. */
export interface BusUnderTest {
  readonly bus: Bus
  readonly other: Bus
  /** Advances the time. */
  readonly elapse: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
}

type Tests = (title: string, run: (t: Test, subject: BusUnderTest) => Promise<void>) => void

/** Longer than any test takes. */
const LONG = { timeoutMs: 20_000 }

export function busContract(t: Test, make: () => Promise<BusUnderTest>): void {
  const test: Tests = (title, run) => {
    t.test(title, async (t) => {
      const subject = await make()
      t.teardown(subject.close)
      await run(t, subject)
    })
  }
  publishing(test)
  requesting(test)
  failing(test)
}

const message = (head: JsonObject): Message => ({ head })

/** Subscribes and returns the first messages as `subject number`. */
async function collect(bus: Bus, pattern: string, count: number): Promise<{ readonly got: Promise<readonly string[]> }> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  const seen: string[] = []
  const subscription = bus.subscribe(pattern, ({ head }, subject) => {
    if (seen.push(`${subject} ${Number(head['number'])}`) === count) resolve(seen)
  })
  await subscription.ready
  return { got: promise }
}

function publishing(test: Tests): void {
  test('a message reaches every subscriber of its subject, with head, body and subject', async (t, { bus, other }) => {
    const sent: Message = { head: { text: 'Größe', list: [1, null, { a: true }] }, body: Uint8Array.of(0, 255, 10) }
    const received = await Promise.all(
      [bus, other, other].map(async (one) => {
        const { promise, resolve } = Promise.withResolvers<readonly [Message, string]>()
        await one.subscribe('views.movies', (message, subject) => resolve([message, subject])).ready
        return () => promise
      }),
    )
    bus.publish('views.movies', sent)
    for (const wait of received) {
      const [{ head, body }, subject] = await wait()
      t.strictSame(head, sent.head)
      t.strictSame(body && [...body], [0, 255, 10])
      t.equal(subject, 'views.movies')
    }
  })

  test('a message without a body arrives without one', async (t, { bus, other }) => {
    const { promise, resolve } = Promise.withResolvers<Message>()
    await other.subscribe('a', resolve).ready
    bus.publish('a', message({}))
    t.equal((await promise).body, undefined)
  })

  test('a publisher never runs a handler itself', async (t, { bus }) => {
    let ran = false
    const { promise, resolve } = Promise.withResolvers<void>()
    await bus.subscribe('a', () => {
      ran = true
      resolve()
    }).ready
    bus.publish('a', message({}))
    t.equal(ran, false)
    await promise
  })

  test('each subscriber gets the messages in the order of publishing', async (t, { bus, other }) => {
    const { got } = await collect(other, 'a', 500)
    for (let number = 0; number < 500; number++) bus.publish('a', message({ number }))
    t.strictSame(
      await got,
      Array.from({ length: 500 }, (_, number) => `a ${number}`),
    )
  })

  test('* stands for one word, > for one or more at the end', async (t, { bus, other }) => {
    const subjects = ['playback', 'playback.one', 'playback.one.beat', 'playback.two.beat', 'scan.one', 'playback.one.beat.late', 'end']
    const expected = {
      'playback.*': ['playback.one 1'],
      'playback.*.beat': ['playback.one.beat 2', 'playback.two.beat 3'],
      'playback.>': ['playback.one 1', 'playback.one.beat 2', 'playback.two.beat 3', 'playback.one.beat.late 5'],
      '*.one': ['playback.one 1', 'scan.one 4'],
      'playback.one.beat': ['playback.one.beat 2'],
      '>': subjects.slice(0, -1).map((subject, number) => `${subject} ${number}`),
    }
    const collected = new Map<string, string[]>(Object.keys(expected).map((pattern) => [pattern, []]))
    for (const [pattern, seen] of collected) {
      await other.subscribe(pattern, ({ head }, subject) => void (subject === 'end' || seen.push(`${subject} ${Number(head['number'])}`)))
        .ready
    }
    const { got } = await collect(other, 'end', 1)
    for (const [number, subject] of subjects.entries()) bus.publish(subject, message({ number }))
    await got
    t.strictSame(Object.fromEntries(collected), expected)
  })

  test('a closed subscription gets nothing more', async (t, { bus, other }) => {
    const seen: unknown[] = []
    const subscription = other.subscribe('a', ({ head }) => seen.push(head['number']))
    await subscription.ready
    const first = await collect(other, 'a', 1)
    bus.publish('a', message({ number: 1 }))
    await first.got
    subscription.close()
    const second = await collect(other, 'a', 1)
    bus.publish('a', message({ number: 2 }))
    await second.got
    t.strictSame(seen, [1])
  })

  test('a subscriber that throws does not keep others, or itself, from the next message', async (t, { bus, other }) => {
    let thrown = 0
    await other.subscribe('a', () => {
      thrown++
      throw new Error('a faulty subscriber')
    }).ready
    const { got } = await collect(other, 'a', 3)
    for (let number = 0; number < 3; number++) bus.publish('a', message({ number }))
    t.strictSame(await got, ['a 0', 'a 1', 'a 2'])
    t.equal(thrown, 3)
  })
}

function requesting(test: Tests): void {
  test('a request is answered by its responder, bodies of the largest size included', async (t, { bus, other }) => {
    const body = Uint8Array.from({ length: MAX_BODY_BYTES }, (_, index) => index % 251)
    await other.respond('segments.*.get', async (asked, subject) => {
      return { head: { subject, asked: asked.head, size: asked.body?.length ?? 0 }, body: asked.body ?? Uint8Array.of() }
    }).ready
    const answer = await bus.request('segments.one.get', { head: { part: 1 }, body }, LONG)
    t.strictSame(answer.head, { subject: 'segments.one.get', asked: { part: 1 }, size: MAX_BODY_BYTES })
    t.ok(Buffer.from(answer.body ?? []).equals(body))
  })

  test('each of many requests at once gets its own answer', async (t, { bus, other }) => {
    await other.respond('double', async ({ head }) => message({ twice: Number(head['number']) * 2 })).ready
    const answers = await Promise.all(Array.from({ length: 100 }, (_, number) => bus.request('double', message({ number }), LONG)))
    t.strictSame(
      answers.map(({ head }) => head['twice']),
      Array.from({ length: 100 }, (_, number) => number * 2),
    )
  })

  test('of several responders one gets each request, and each gets some', async (t, { bus, other }) => {
    const counts = [0, 0, 0]
    for (const index of counts.keys()) {
      await (index === 0 ? bus : other).respond('work', async () => {
        counts[index] = (counts[index] ?? 0) + 1
        return message({ index })
      }).ready
    }
    for (let number = 0; number < 60; number++) await bus.request('work', message({}), LONG)
    t.equal(
      counts.reduce((sum, count) => sum + count, 0),
      60,
    )
    t.ok(counts.every((count) => count > 0))
  })

  test('a slow responder does not hold up its next request', async (t, { bus, other }) => {
    const first = Promise.withResolvers<Message>()
    await other.respond('work', ({ head }) => (head['number'] === 1 ? first.promise : Promise.resolve(message({ number: 2 })))).ready
    const slow = bus.request('work', message({ number: 1 }), LONG)
    t.strictSame((await bus.request('work', message({ number: 2 }), LONG)).head, { number: 2 })
    first.resolve(message({ number: 1 }))
    t.strictSame((await slow).head, { number: 1 })
  })
}

function failing(test: Tests): void {
  test('without a responder a request fails at once: nothing ran', async (t, { bus, other }) => {
    await other.subscribe('work', () => {}).ready
    await t.rejects(bus.request('nobody', message({}), LONG), NoResponder)
    const responder = other.respond('nobody', async () => message({}))
    await responder.ready
    t.ok(await bus.request('nobody', message({}), LONG))
  })

  test('a closed responder is no responder', async (t, { bus }) => {
    const responder = bus.respond('work', async () => message({}))
    await responder.ready
    t.ok(await bus.request('work', message({}), LONG))
    responder.close()
    await t.rejects(bus.request('work', message({}), LONG), NoResponder)
  })

  test('what is on its way to a responder that closes is answered at once: nothing ran', async (t, { bus, other }) => {
    let ran = 0
    const responder = other.respond('work', async () => (ran++, message({})))
    await responder.ready
    const asked = Array.from({ length: 300 }, () =>
      bus.request('work', message({}), LONG).then(
        () => 'answered',
        (cause: unknown) => (cause instanceof NoResponder ? 'not there' : String(cause)),
      ),
    )
    await asked[0]
    responder.close()
    const idempotencyStore = await Promise.all(asked)
    t.equal(idempotencyStore.filter((outcome) => outcome === 'answered').length, ran)
    t.equal(idempotencyStore.filter((outcome) => outcome === 'not there').length, 300 - ran)
  })

  test('a responder that does not answer, or throws, leads to ReplyTimeout when the time is over and not before', async (t, subject) => {
    const { bus, other, elapse } = subject
    await other.respond('silent', () => new Promise(() => {})).ready
    await other.respond('throws', async () => {
      throw new Error('a faulty responder')
    }).ready
    for (const name of ['silent', 'throws']) {
      let settled = false
      const asked = bus.request(name, message({}), { timeoutMs: 400 }).finally(() => (settled = true))
      const failed = t.rejects(asked, ReplyTimeout)
      await elapse(200)
      t.equal(settled, false)
      await elapse(200)
      await failed
    }
  })

  test('a request ends with the reason of its signal', async (t, { bus, other }) => {
    const reason = new Error('no longer wanted')
    let ran = 0
    const started = Promise.withResolvers<void>()
    await other.respond('silent', () => {
      ran++
      started.resolve()
      return new Promise(() => {})
    }).ready
    const ending = new AbortController()
    const asked = t.rejects(bus.request('silent', message({}), { ...LONG, signal: ending.signal }), reason)
    await started.promise
    ending.abort(reason)
    await asked
    await t.rejects(bus.request('silent', message({}), { ...LONG, signal: AbortSignal.abort(reason) }), reason)
    t.equal(ran, 1)
  })

  test('a body that is too large is a fault of the program', async (t, { bus, other }) => {
    await other.respond('work', async () => message({})).ready
    const large: Message = { head: {}, body: new Uint8Array(MAX_BODY_BYTES + 1) }
    t.throws(() => bus.publish('work', large), RangeError)
    await t.rejects(bus.request('work', large, LONG), RangeError)
  })

  test('closing ends what waits; afterwards publishing does nothing and nobody is there', async (t, { bus, other }) => {
    const started = Promise.withResolvers<void>()
    await other.respond('silent', () => {
      started.resolve()
      return new Promise(() => {})
    }).ready
    const asked = t.rejects(bus.request('silent', message({}), LONG), ReplyTimeout)
    await started.promise
    await bus.close()
    await asked
    bus.publish('silent', message({}))
    await t.rejects(bus.request('silent', message({}), LONG), NoResponder)
    await bus.close()
  })
}
