/** Live events: what pages do with them. Where they come from is loaded after the page (live-stream.ts). */
import { signal } from '@preact/signals-core'
import { answers } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { markOld } from './upgrade.ts'

/** What every event has, and what some have. */
export interface LiveData {
  readonly seq?: string
  readonly movieId?: string
  readonly libraryId?: string | null
  readonly sessionId?: string
  readonly position?: number | null
  readonly watchedAt?: string | null
  readonly watchlist?: boolean
  readonly playState?: string
  readonly commandId?: string
  readonly command?: string
  readonly message?: string | null
  readonly webBuild?: string | null
  /** Of accounts, and of the viewer of a session. */
  readonly userId?: string
  readonly scan?: components['schemas']['Scan']
  /** Of a projection that is rebuilt. */
  readonly name?: string
  readonly progress?: number
}

export type LiveHandler = (kind: string, data: LiveData) => void

/** `stopping`: the server says that it restarts; `away`: nothing comes at the moment. */
export const liveState = signal<'open' | 'stopping' | 'away'>('open')

const handlers = new Set<{ readonly wants: (kind: string) => boolean; readonly handler: LiveHandler }>()

/** Kinds are whole names, or beginnings that end in a dot: `playback.`. Gives what ends it. */
export function onLive(kinds: readonly string[], handler: LiveHandler): () => void {
  const entry = { wants: (kind: string) => kinds.some((one) => (one.endsWith('.') ? kind.startsWith(one) : kind === one)), handler }
  handlers.add(entry)
  return () => void handlers.delete(entry)
}

/** To all who want it. */
export function deliver(kind: string, text: string): void {
  const data = JSON.parse(text) as LiveData
  if (kind === 'server.stopping') liveState.value = 'stopping'
  else if (kind === 'hello') liveState.value = 'open'
  for (const { wants, handler } of handlers) if (wants(kind)) handler(kind, data)
}

let stream: typeof import('./live-stream.ts') | undefined

/** Begins to listen. Call it once somebody is signed in. What happens before the stream is there comes with its beginning. */
export async function startLive(): Promise<void> {
  try {
    stream ??= await import('./live-stream.ts')
    stream.joinStream()
  } catch {
    // The server has another build, or is away: a reloaded page has it.
    liveState.value = 'away'
    markOld()
  }
}

/** The person was signed out: the other tabs of the browser show nothing of before, either. */
export function endLive(): void {
  stream?.tellSignedOut()
  answers.since = Infinity
}
