/**
 * Combines two buses: subjects with certain first words use a separate connection, so that bulk data never delays short, urgent messages.
 * To NATS a subject is the same on every connection, so programs need not agree on the words. A pattern whose first word is a wildcard is
 * subscribed on the first connection alone and receives all. Messages of different connections have no order among each other.
 */
import { currentRequest } from '../../concurrency/current-request.ts'
import type { Bus } from '../../ports/bus.ts'
import { createNatsBus, type NatsBus, type NatsBusOptions } from './bus.ts'

export interface SplitBusOptions extends NatsBusOptions {
  /** First words of the subjects that use a second connection. It is made on first use, since not every program sends bytes. */
  readonly words: readonly string[]
}

const PURPOSE = 'bytes'

export function createSplitBus({ words, ...options }: SplitBusOptions): NatsBus {
  const control = createNatsBus(options)
  let bulk: NatsBus | undefined
  let isClosed = false

  function busOf(subject: string): Bus {
    if (!words.includes(subject.split('.', 1)[0] ?? '')) return control
    // A closed bus opens nothing: the control bus, closed as well, gives the answers defined by the port.
    if (!bulk && isClosed) return control
    return (bulk ??= currentRequest.outside(() => openBulk(options)))
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

/** A bus that also closes its connection. */
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
