/** The nodes of a simulation as clients reach them, and the path of a request: network, guard, service, network. */
import type { Caller, RequestOrigin } from '../../src/app/access/caller.ts'
import { isRefusal, type Refusal, type RefusalKind } from '../../src/domain/refusal.ts'
import type { Services } from '../../src/wiring/services.ts'
import { isWell } from './host.ts'
import type { ApiNode } from './api-node.ts'
import type { Cluster } from './cluster.ts'
import type { World } from './world.ts'

export type Answer<Value> =
  | { readonly type: 'done'; readonly value: Value; readonly asked: Asked }
  | { readonly type: 'refused'; readonly why: RefusalKind; readonly asked: Asked }
  /** 503, with its cause; `views-behind`: the command is stored. */
  | { readonly type: 'failed'; readonly code: string; readonly asked: Asked }
  /** `over` settles when it can have no further effects. */
  | { readonly type: 'silent'; readonly asked: Asked; readonly over: Promise<void> }

/** Node and time of a request. */
export interface Asked {
  readonly node: ApiNode
  readonly atMs: number
  /** Whether the node had had no fault for a while, and had none until the answer. */
  readonly well: boolean
}

export interface Work<Value> {
  (services: Services & Pick<ApiNode, 'streams'>, caller: Caller, origin: RequestOrigin): Promise<Value | Refusal>
}

export interface Request<Value> {
  readonly what: string
  readonly token: string
  readonly work: Work<Value>
  /** The same for each retry. */
  readonly seed?: string
  /** Longest answer time of a node without faults. */
  readonly withinMs?: number
}

export interface ApiNodes {
  readonly world: World
  /** The nodes that answer, and those that are expected to. */
  readonly nodes: () => readonly ApiNode[]
  ask<Value>(request: Request<Value>): Promise<Answer<Value>>
  /** A node without faults, if there is one. */
  wellNode(): ApiNode | undefined
  askAt<Value>(node: ApiNode, request: Request<Value>): Promise<Answer<Value>>
  /** Whether nothing has had a fault for a while. */
  allWell(): boolean
  pause(ms: number): Promise<void>
}

/** A client's timeout. */
const PATIENCE_MS = 9000
const BOUND_MS = 30_000
/** After this time a fault has no more effects. */
export const WELL_AFTER_MS = 6000
/** The same for a crash: by then the crashed program's leases have expired. */
const CALM_AFTER_MS = 18_000

const PASSING = new Set(['views-behind', 'outcome-unknown', 'conflict', 'no-responder', 'reply-timeout', 'engine-away', 'client-gone'])

export function createApiNodes(
  { world, networkFaults }: Pick<Cluster, 'world' | 'networkFaults'>,
  nodes: () => readonly ApiNode[],
): ApiNodes {
  const chance = world.randomBelow('house')
  let requests = 0

  function askAt<Value>(node: ApiNode, { what, token, work, seed, withinMs = BOUND_MS }: Request<Value>): Promise<Answer<Value>> {
    const { promise, resolve } = Promise.withResolvers<Answer<Value>>()
    const { host, services } = node
    const requestId = `request-${++requests}`
    const origin = { requestId, address: '192.0.2.1', client: 'simulation', ...(seed === undefined ? {} : { seed }) }
    const sentMs = world.now()
    let asked: Asked = { node, atMs: sentMs, well: false }
    const over = Promise.withResolvers<void>()
    const isFine = () => isWell(world, host, world.now() - sentMs + WELL_AFTER_MS)

    function answer(text: string, give: () => Answer<Value>): void {
      stopWatching()
      node.serving.count--
      over.resolve()
      asked = { ...asked, well: isFine() }
      if (isSuspicious(text) && isCalm()) world.fail(`${what} (${requestId}) fails where nothing is wrong: ${text}`)
      world.note(`${host.name} answers ${requestId}: ${text}`)
      world.later(world.latencyMs(), null, requestId, () => {
        stopWaiting()
        resolve(give())
      })
    }

    world.later(world.latencyMs(), host, `${requestId} ${what}`, () => {
      asked = { ...asked, atMs: world.now() }
      node.serving.count++
      if (!services.viewWatchdog.isFollowing()) return answer('blind', () => ({ type: 'failed', code: 'blind', asked }))
      const caller = services.signIns.authenticate(token)
      if (!caller) return answer('unauthenticated', () => ({ type: 'refused', why: 'unauthenticated', asked }))
      work({ ...services, streams: node.streams }, caller, origin).then(
        (value) =>
          isRefusal(value)
            ? answer(value.refusal, () => ({ type: 'refused', why: value.refusal, asked }))
            : answer('done', () => ({ type: 'done', value, asked })),
        (cause: unknown) => answer(String(cause), () => ({ type: 'failed', code: codeOf(world, cause, what), asked })),
      )
    })
    const stopWaiting = world.later(PATIENCE_MS, null, `${requestId} is given up`, () =>
      resolve({ type: 'silent', asked, over: over.promise }),
    )
    host.onCrash.add(over.resolve)
    const stopWatching = world.later(withinMs, null, `${requestId} is late`, () => {
      if (isFine()) world.fail(`${what} (${requestId}) has no answer of ${host.name} after ${withinMs} ms`)
    })
    return promise
  }

  const allWell = (): boolean =>
    networkFaults.troubles === 0 &&
    world.now() - networkFaults.badAtMs > WELL_AFTER_MS &&
    nodes().every(({ host }) => isWell(world, host, WELL_AFTER_MS))

  const isCalm = (): boolean =>
    networkFaults.faults === 0 && !networkFaults.brokenCommits && world.now() - networkFaults.faultAtMs > CALM_AFTER_MS

  function wellNode(): ApiNode | undefined {
    const well = nodes().filter((node) => {
      const readySinceMs = node.readySinceMs()
      return readySinceMs !== undefined && world.now() - readySinceMs > WELL_AFTER_MS && isWell(world, node.host, WELL_AFTER_MS)
    })
    return well[chance(Math.max(1, well.length))]
  }

  const pause = (ms: number): Promise<void> => new Promise((resolve) => void world.later(ms, null, 'pause', resolve))

  return {
    world,
    nodes,
    askAt,
    wellNode,
    pause,
    allWell,
    async ask(request) {
      for (;;) {
        const ready = nodes().filter((node) => node.readySinceMs() !== undefined)
        const node = ready[chance(Math.max(1, ready.length))]
        if (node) return askAt(node, request)
        await pause(100)
      }
    },
  }
}

/** A failure, or a refusal that could become a success a moment later. */
const isSuspicious = (text: string): boolean => text === 'unavailable' || text === 'blind' || PASSING_ERROR.test(text)

const PASSING_ERROR = /^(?:ViewsBehind|OutcomeUnknown|Conflict|NoResponder|ReplyTimeout|EngineAway)/

function codeOf(world: World, cause: unknown, what: string): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (!PASSING.has(code)) world.fail(`${what}: ${cause instanceof Error ? cause.stack : String(cause)}`)
  return code
}
