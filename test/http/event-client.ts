/** A client of an event stream: parses the events from a plain socket, so that it can also stop reading. */
import { request, type IncomingMessage } from 'node:http'

export interface StreamedEvent {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventClient {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: () => string
  readonly events: () => readonly StreamedEvent[]
  /** Settles with the first such event; rejects if the stream ends before. */
  readonly first: (kind: string) => Promise<StreamedEvent>
  readonly ended: Promise<void>
  readonly response: IncomingMessage
  readonly close: () => void
}

export async function openEvents(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventClient> {
  const asked = request(url, { headers, agent: false }).end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => asked.once('response', resolve).once('error', reject))
  let text = ''
  let looking: (() => void)[] = []
  const look = (): void => {
    const before = looking
    looking = []
    for (const one of before) one()
  }
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    look()
  })
  let over = false
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      over = true
      look()
      resolve()
    }
    response.once('end', end).once('close', end).once('error', end)
  })
  const events = (): readonly StreamedEvent[] => text.split('\n\n').flatMap(parse)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    async first(kind) {
      for (;;) {
        const found = events().find(({ event }) => event === kind)
        if (found) return found
        if (over) throw new Error(`No ${kind}: ${text}`)
        await new Promise<void>((resolve) => void looking.push(resolve))
      }
    },
    ended,
    response,
    close: () => void asked.destroy(),
  }
}

function parse(block: string): readonly StreamedEvent[] {
  const member = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
  return member('event') === ''
    ? []
    : [{ id: member('id'), event: member('event'), data: JSON.parse(member('data')) as StreamedEvent['data'] }]
}
