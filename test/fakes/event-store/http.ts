/** The HTTP/1 side: health, info and scavenging, and, for tests only, faults and connection resets. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setFaults, type Faults } from './faults.ts'
import { VERSION } from './identity.ts'
import type { Scavenge } from './scavenge.ts'

export interface HttpDeps {
  readonly faults: Faults
  readonly cutAll: () => void
  /** Called after faults were set. */
  readonly faultsSet: () => void
  readonly scavenge: () => Scavenge
  /** Position of the next event. */
  readonly endPosition: () => number
  readonly port: number
}

interface Reply {
  readonly status: number
  readonly body?: unknown
}

const BODY_MAX = 10_000

export function createHttp(deps: HttpDeps): Server {
  return createServer((request, response) => {
    void answer(deps, request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, { status: 400, body: { error: String(error) } }),
    )
  })
}

async function answer(deps: HttpDeps, request: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  switch (`${request.method} ${pathname}`) {
    case 'GET /health/live':
      return { status: 204 }
    case 'GET /ping':
      return { status: 200, body: { text: 'Ping request successfully handled' } }
    case 'GET /info':
      return { status: 200, body: description() }
    case 'GET /gossip':
      return { status: 200, body: gossip(deps) }
    case 'POST /admin/scavenge':
      return startScavenge(deps.scavenge(), searchParams.has('wait'))
    case 'GET /faults':
      return { status: 200, body: deps.faults }
    case 'POST /faults':
      setFaults(deps.faults, await bodyOf(request))
      deps.faultsSet()
      return { status: 200, body: deps.faults }
    case 'POST /cut':
      setImmediate(deps.cutAll)
      return { status: 204 }
    default:
      return { status: 404 }
  }
}

/** Replies at once, like the real server. */
async function startScavenge({ scavengeId, done }: Scavenge, wait: boolean): Promise<Reply> {
  if (wait) await done
  return { status: 200, body: { scavengeId } }
}

const description = () => ({
  esVersion: VERSION,
  state: 'leader',
  features: { projections: false, userManagement: true, atomPub: false },
  authentication: { type: 'insecure', properties: {} },
})

const gossip = ({ endPosition, port }: HttpDeps) => ({
  members: [
    {
      state: 'Leader',
      isAlive: true,
      httpEndPointIp: '127.0.0.1',
      httpEndPointPort: port,
      lastCommitPosition: endPosition(),
      writerCheckpoint: endPosition(),
    },
  ],
})

async function bodyOf(request: IncomingMessage): Promise<object> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > BODY_MAX) throw new Error('The body is too large')
  }
  const value: unknown = JSON.parse(text)
  if (!value || typeof value !== 'object') throw new Error('The body is no object')
  return value
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
