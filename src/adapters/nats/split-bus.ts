/**
 * Two buses in one: subjects with certain first words go by a connection of their own, so that bytes in bulk never delay what is
 * short and urgent. To NATS a subject is the same whichever connection it comes by, so programs need not agree on the words, and a
 * pattern whose first word is a wildcard stands on the first connection alone and hears all. Messages of different connections have
 * no order among each other.
 */
import type { Bus } from '../../ports/bus.ts'
import { createNatsBus, type NatsBus, type NatsBusOptions } from './bus.ts'

export interface SplitBusOptions extends NatsBusOptions {
  /** First words of the subjects that go by a second connection, made when it is first needed: not every program has bytes to send. */
  readonly words: readonly string[]
}

const PURPOSE = 'bytes'

export function createSplitBus({ words, ...options }: SplitBusOptions): NatsBus {
  const control = createNatsBus(options)
  let bulk: NatsBus | undefined
  let isClosed = false

  function busOf(subject: string): Bus {
    if (!words.includes(subject.split('.', 1)[0] ?? '')) return control
    // What is closed opens nothing: the control bus, closed as well, answers as the port says.
    if (!bulk && isClosed) return control
    return (bulk ??= openBulk(options))
  }

  return {
    publish: (subject, message) => busOf(subject).publish(subject, message),
    subscribe: (subject, handler) => busOf(subject).subscribe(subject, handler),
    respond: (subject, handler) => busOf(subject).respond(subject, handler),
    request: (subject, message, waiting) => busOf(subject).request(subject, message, waiting),
    dropped: () => control.dropped() + (bulk?.dropped() ?? 0),
    async close() {
      isClosed = true
      await Promise.all([control.close(), bulk?.close()])
    },
  }
}

/** A bus that closes its connection too. */
function openBulk(options: NatsBusOptions): NatsBus {
  const connection = options.connection.another(PURPOSE)
  const bus = createNatsBus({ ...options, connection })
  return {
    ...bus,
    async close() {
      await bus.close()
      await connection.close()
    },
  }
}
