/**
 * Reactors: what follows from events in other streams. They have a checkpoint of their own and issue commands whose ids derive
 * from the event's, so that a repeat after a crash does nothing twice.
 */
import { decode } from '../events/codec.ts'
import type { Position } from '../events/position.ts'
import type { RecordedEvent } from '../events/recorded.ts'
import { completes } from '../domain/playback.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { ReadStore } from '../ports/read-store.ts'
import type { Access } from './access.ts'
import type { Commander } from './commander.ts'
import type { Freshness } from './freshness.ts'
import { completeFilm, type SessionHost } from './session-host.ts'

export const REACTORS_COLLECTION = { name: 'reactors_g1', fields: {}, indexes: [] } as const

export interface ReactorDependencies {
  readonly access: Access
  readonly commander: Commander
  readonly freshness: Freshness
  readonly host: SessionHost
  readonly log: EventLog
  readonly store: ReadStore
  /** Fence: the token of the lease that they run under. */
  readonly epoch: number
}

/** Runs until the signal. */
export async function runReactors(deps: ReactorDependencies, signal: AbortSignal): Promise<void> {
  const { log, store, epoch } = deps
  const collection = REACTORS_COLLECTION.name
  let from: Position = await store.checkpoint(collection)
  for await (const batch of log.follow(from, signal)) {
    let reacted = false
    for (const stored of batch) {
      const event = decode(stored)
      if (event) reacted = (await react(deps, event)) || reacted
    }
    const to = batch.at(-1)?.position
    if (!to || !(reacted || batch.length > 100)) continue
    await store.commit({ collection, epoch, from, to, puts: [], removes: [] })
    from = to
  }
}

/** True when the event called for something. */
async function react(deps: ReactorDependencies, event: RecordedEvent): Promise<boolean> {
  switch (event.type) {
    case 'PlaybackHeartbeat':
      if (!completes(event.data.positionMs, event.data.durationMs)) return false
      await completeFilm(deps.commander, event, { actor: 'system', at: Date.parse(event.at) })
      return true
    case 'SignedOut':
      await endSessions(deps, event)
      return true
    default:
      return false
  }
}

async function endSessions(
  { access, freshness, host }: ReactorDependencies,
  { data, id, position }: RecordedEvent<'SignedOut'>,
): Promise<void> {
  await freshness.reach(position)
  const author = { actor: `user:${data.userId}`, command: 'endPlayback', causation: id }
  for (const session of [...access.sessions.values()].filter(({ loginId }) => loginId === data.loginId)) {
    await host.send(session.id, { command: { type: 'end', reason: 'signed_out' }, author })
  }
}
