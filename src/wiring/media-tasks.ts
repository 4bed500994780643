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
import { runTintJob } from '../app/images/tint-job.ts'
import type { Troubles } from '../app/tasks/trouble.ts'
import { underLease } from '../app/tasks/under-lease.ts'
import type { ImageId } from '../vocabulary/id.ts'
import { runInBackground, type Background, type BackgroundTasks } from './background-tasks.ts'
import type { Ports } from './ports.ts'
import type { Services } from './services.ts'
import type { Report } from '../ports/report.ts'

const LEASE_RETRY_MS = 5000

interface MediaTasksOptions {
  readonly onError: Report
  readonly troubles: Troubles
}

export function startMediaTasks(ports: Ports, services: Services, { onError, troubles }: MediaTasksOptions): Background {
  const { clock, leases } = ports
  return runInBackground(mediaTasks(ports, services, onError), { clock, leases, retryMs: LEASE_RETRY_MS, troubles })
}

function mediaTasks(ports: Ports, services: Services, onError: Report): BackgroundTasks {
  const { clock, leases, log, loudness, media, texts, trickplay: store, trickplayMaker: maker, watcher } = ports
  const { access, commandHandler, readModels, images, readYourWrites, onlineFinder: finder, scans } = services
  const deps = { access, clock, media, scans, watcher, onError }
  const movies = { access, clock, readModels, readYourWrites, log, media }
  const trickplay = { ...movies, commandHandler, maker, store, readsWait: ports.readsWait, failures: new Set<string>() }
  const tints = { ...movies, commandHandler, images, onError, failures: new Set<ImageId>() }
  const duty = { leases, clock, retryMs: LEASE_RETRY_MS }
  let isStart = true
  return {
    watch: {
      // Asks for its lease itself: a node that was refused it once goes on where another one left off.
      lease: null,
      async run(until) {
        try {
          await underLease(duty, 'library-watch', (held) => watchLibraries({ ...deps, goesOn: !isStart }, held), until)
        } finally {
          isStart = false
        }
      },
    },
    schedule: { lease: 'scan-schedule', run: (held) => scheduleScans(deps, held) },
    recovery: { lease: null, run: (until) => recoverScans(deps, until) },
    subtitles: { lease: 'subtitle-keeping', run: (held) => runSubtitleJob({ ...movies, texts }, held) },
    loudness: { lease: 'loudness-keeping', run: (held) => runLoudnessJob({ ...movies, loudness }, held) },
    trickplay: { lease: 'trickplay-keeping', run: (held) => runTrickplayJob(trickplay, held) },
    tints: { lease: 'tint-keeping', run: (held) => runTintJob(tints, held) },
    online: finder && { lease: 'online-keeping', run: createOnlineJob({ clock, readModels, finder, readYourWrites, log, onError }) },
  }
}
