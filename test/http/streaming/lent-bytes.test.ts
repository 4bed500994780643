import t from 'tap'
import { session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const BASE = `/api/stream/${session.id}`

/** Lends megabytes of sevens, which are overwritten as soon as they are returned. */
async function startLender(t: Parameters<typeof startServer>[0]) {
  const events: string[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      streams: {
        ...services.streams,
        segment: async ({ until }, _quality, segment) => {
          const bytes = Buffer.alloc(LENT_BYTES, 7)
          events.push(`lent ${segment}`)
          until?.(() => {
            bytes.fill(0)
            events.push(`returned ${segment}`)
          })
          return bytes
        },
      },
    }),
  })
  const url = await server.listen()
  return { events, urlOf: (segment: number) => `${url}${BASE}/original/seg-${segment}.m4s?token=${STREAM_TOKEN}` }
}

/** More than fits between the two sockets. */
const LENT_BYTES = 32 * 1024 * 1024

async function holds(events: readonly string[], event: string): Promise<void> {
  for (let looks = 0; looks < 1_000 && !events.includes(event); looks++) await new Promise((resolve) => setTimeout(resolve, 10))
}

t.test('lent bytes are returned when the answer is out, not before, however slow the client is', async (t) => {
  const { events, urlOf } = await startLender(t)
  const slow = await fetch(urlOf(0))
  t.ok(Buffer.from(await (await fetch(urlOf(1))).arrayBuffer()).equals(Buffer.alloc(LENT_BYTES, 7)))
  await holds(events, 'returned 1')
  t.strictSame(events, ['lent 0', 'lent 1', 'returned 1'])
  t.ok(Buffer.from(await slow.arrayBuffer()).equals(Buffer.alloc(LENT_BYTES, 7)))
  await holds(events, 'returned 0')
  t.strictSame(events.slice(3), ['returned 0'])
})

t.test('lent bytes are returned once when the client goes in the middle, and after a HEAD', async (t) => {
  const { events, urlOf } = await startLender(t)
  const gone = new AbortController()
  await fetch(urlOf(0), { signal: gone.signal })
  gone.abort()
  await holds(events, 'returned 0')
  t.equal((await fetch(urlOf(1), { method: 'HEAD' })).headers.get('content-length'), String(LENT_BYTES))
  await holds(events, 'returned 1')
  t.strictSame(events, ['lent 0', 'returned 0', 'lent 1', 'returned 1'])
})
