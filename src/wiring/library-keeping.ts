/**
 * Keeping of the libraries while a server runs: watching their folders, scanning them by the clock, ending scans of dead nodes,
 * reading subtitles out of films, making preview pictures of them, measuring their sound, asking a provider about them.
 */
import { watchLibraries } from '../app/libraries/library-watch.ts'
import { createOnlineKeeping } from '../app/online/online-keeping.ts'
import { keepLoudness } from '../app/derived-media/loudness-keeping.ts'
import { recoverScans, scheduleScans } from '../app/scans/scan-schedule.ts'
import { keepSubtitles } from '../app/derived-media/subtitle-keeping.ts'
import { keepTrickplay } from '../app/derived-media/trickplay-keeping.ts'
import { supervise } from '../app/tasks/supervise.ts'
import { underLease } from '../app/tasks/under-lease.ts'
import type { Engines } from './engines.ts'
import type { Services } from './services.ts'

export interface LibraryKeeping {
  stop(this: void): Promise<void>
}

const LEASE_RETRY_MS = 5000

export function startLibraryKeeping(engines: Engines, services: Services, problem: (cause: unknown) => void): LibraryKeeping {
  const { clock, leases, log, loudness, media, texts, trickplay: store, trickplayMaker: maker, watcher } = engines
  const { access, commander, documents, freshness, onlineFinder: finder, scans } = services
  const deps = { access, clock, media, scans, watcher, problem }
  const stopping = new AbortController()
  const { signal } = stopping

  const duty = { leases, clock, retryMs: LEASE_RETRY_MS }
  let isStart = true
  async function watch(until: AbortSignal): Promise<void> {
    try {
      await underLease(duty, 'library-watch', (held) => watchLibraries({ ...deps, goesOn: !isStart }, held), until)
    } finally {
      isStart = false
    }
  }
  const keepOnline = finder && createOnlineKeeping({ clock, documents, finder, freshness, log, problem })
  const films = { access, clock, documents, freshness, log }
  const trickplay = { ...films, commander, maker, media, store, readsWait: engines.readsWait, failures: new Set<string>() }
  const tasks: readonly ((until: AbortSignal) => Promise<void>)[] = [
    watch,
    (until) => underLease(duty, 'scan-schedule', (held) => scheduleScans(deps, held), until),
    (until) => recoverScans(deps, until),
    (until) => underLease(duty, 'subtitle-keeping', (held) => keepSubtitles({ ...films, texts }, held), until),
    (until) => underLease(duty, 'loudness-keeping', (held) => keepLoudness({ ...films, loudness }, held), until),
    (until) => underLease(duty, 'trickplay-keeping', (held) => keepTrickplay(trickplay, held), until),
    ...(keepOnline ? [(until: AbortSignal) => underLease(duty, 'online-keeping', keepOnline, until)] : []),
  ]
  const running = tasks.map((task) => supervise(task, { clock, signal, problem }))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
