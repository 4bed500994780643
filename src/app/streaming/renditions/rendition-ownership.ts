/**
 * Ownership of a rendition: its actor runs on this node while this node holds the rendition's lease. The lease's token is the epoch of the
 * actor's orders to agents.
 */
import type { Lease, Leases, LeaseTtlSeconds } from '../../../ports/leases.ts'
import type { RenditionResponder } from './rendition-responder.ts'
import type { ActorOptions } from '../runs/actor-state.ts'
import { STOPPING, type RenditionActor } from './rendition-actor.ts'
import { busy, type Unavailable } from '../segments/unavailable.ts'

export interface RenditionOwnership {
  /** Undefined while it runs elsewhere. */
  actor(): RenditionActor | undefined
  /** Takes ownership; undefined if another node holds the lease, or held it until a moment ago. @throws ServerUnavailable */
  acquire(): Promise<RenditionActor | undefined>
  /** Stops the actor and releases the lease. `acquire` must not be called after that. */
  close(): Promise<void>
}

export interface RenditionOwnershipOptions extends Pick<ActorOptions, 'renditionId' | 'rendition'> {
  readonly leases: Leases
  readonly responder: RenditionResponder
  /** `superseded`: called when an agent reports a newer owner. */
  readonly start: (epoch: number, superseded: () => void) => RenditionActor
  /** Called when the actor no longer runs here. */
  readonly ended: (actor: RenditionActor) => void
}

interface OwnedActor {
  readonly actor: RenditionActor
  readonly lease: Lease
  readonly responding: { close(): void }
}

interface State extends RenditionOwnershipOptions {
  owned: OwnedActor | undefined
  acquiring: Promise<RenditionActor | undefined> | undefined
  closed: boolean
}

/** The reason given to requests that wait at an actor when it moves: the node retries them at the new owner. */
export const OWNER_CHANGED = busy('The transcoders are being taken over', 1)
const LEASE_SECONDS: LeaseTtlSeconds = 5

export function createRenditionOwnership(options: RenditionOwnershipOptions): RenditionOwnership {
  const state: State = { ...options, owned: undefined, acquiring: undefined, closed: false }
  return {
    actor: () => state.owned?.actor,
    acquire: () => (state.acquiring ??= acquire(state).finally(() => (state.acquiring = undefined))),
    async close() {
      state.closed = true
      await state.acquiring?.catch(() => undefined)
      await end(state, state.owned, STOPPING)
    },
  }
}

async function acquire(state: State): Promise<RenditionActor | undefined> {
  if (state.owned) return state.owned.actor
  if (state.closed) return undefined
  const lease = await state.leases.acquire(`rendition.${state.renditionId}`, LEASE_SECONDS)
  if (!lease) return undefined
  if (state.closed || lease.lost.aborted) {
    await lease.release()
    return undefined
  }
  try {
    return startActor(state, lease)
  } catch (cause) {
    await lease.release()
    throw cause
  }
}

function startActor(state: State, lease: Lease): RenditionActor {
  const move = (): void => void end(state, owned, OWNER_CHANGED)
  const actor = state.start(lease.token, move)
  const owned = { actor, lease, responding: state.responder.open({ ...state, actor }) }
  state.owned = owned
  lease.lost.addEventListener('abort', move, { once: true })
  return actor
}

async function end(state: State, owned: OwnedActor | undefined, why: Unavailable): Promise<void> {
  if (!owned || state.owned !== owned) return
  state.owned = undefined
  owned.responding.close()
  owned.actor.close(why)
  state.ended(owned.actor)
  await owned.lease.release()
}
