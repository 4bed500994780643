/**
 * Runs the background tasks of libraries: watching folders, scheduled scans, ending scans of dead nodes, extracting subtitles, preview
 * images, loudness analysis, image tints, and online metadata.
 */
import { watchLibraries } from '../app/libraries/library-watch.ts'
import { createOnlineJob } from '../app/online/online-job.ts'
import { runLoudnessJob } from '../app/derived-media/loudness-job.ts'
import { recoverScans, scheduleScans } from '../app/scans/scan-schedule.ts'
import { runSubtitleJob } from '../app/derived-media/subtitle-job.ts'
import { runTrickplayJob } from '../app/derived-media/trickplay-job.ts'
import { runTintJob } from '../app/pictures/tint-job.ts'
import { supervise } from '../app/tasks/supervise.ts'
import { underLease } from '../app/tasks/under-lease.ts'
import type { ImageId } from '../vocabulary/id.ts'
import type { Ports } from './ports.ts'
import type { Services } from './services.ts'

export interface MediaTasks {
  stop(this: void): Promise<void>
}

const LEASE_RETRY_MS = 5000

export function startMediaTasks(ports: Ports, services: Services, onError: (cause: unknown) => void): MediaTasks {
  const { clock, leases, log, loudness, media, texts, trickplay: store, trickplayMaker: maker, watcher } = ports
  const { access, commandHandler, documents, pictures, readYourWrites, onlineFinder: finder, scans } = services
  const deps = { access, clock, media, scans, watcher, onError }
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
  const keepOnline = finder && createOnlineJob({ clock, documents, finder, readYourWrites, log, onError })
  const films = { access, clock, documents, readYourWrites, log }
  const trickplay = { ...films, commandHandler, maker, media, store, readsWait: ports.readsWait, failures: new Set<string>() }
  const tints = { ...films, commandHandler, pictures, onError, failures: new Set<ImageId>() }
  const tasks: readonly ((until: AbortSignal) => Promise<void>)[] = [
    watch,
    (until) => underLease(duty, 'scan-schedule', (held) => scheduleScans(deps, held), until),
    (until) => recoverScans(deps, until),
    (until) => underLease(duty, 'subtitle-keeping', (held) => runSubtitleJob({ ...films, texts }, held), until),
    (until) => underLease(duty, 'loudness-keeping', (held) => runLoudnessJob({ ...films, loudness }, held), until),
    (until) => underLease(duty, 'trickplay-keeping', (held) => runTrickplayJob(trickplay, held), until),
    (until) => underLease(duty, 'tint-keeping', (held) => runTintJob(tints, held), until),
    ...(keepOnline ? [(until: AbortSignal) => underLease(duty, 'online-keeping', keepOnline, until)] : []),
  ]
  const running = tasks.map((task) => supervise(task, { clock, signal, onError }))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
