/** Background tasks: what runs for as long as a program does. Each is supervised, and some run on one node at a time. */
import { supervise } from '../app/tasks/supervise.ts'
import type { Troubles } from '../app/tasks/trouble.ts'
import { underLease } from '../app/tasks/under-lease.ts'
import type { Clock } from '../ports/clock.ts'
import type { Lease, Leases } from '../ports/leases.ts'

/** By name. A task that is undefined does not run. */
export type BackgroundTasks = Readonly<Record<string, BackgroundTask | undefined>>

export type BackgroundTask =
  | { readonly lease: null; readonly run: (until: AbortSignal) => Promise<void> }
  /** Runs on the node that holds this lease; its signal ends with the lease. */
  | { readonly lease: string; readonly run: (held: AbortSignal, lease: Lease) => Promise<void> }

export interface BackgroundOptions {
  readonly clock: Clock
  readonly leases: Leases
  /** Pause until a lease that another node holds is asked for again. */
  readonly retryMs: number
  readonly troubles: Troubles
}

export interface Background {
  /** Settles when all tasks have ended. */
  stop(this: void): Promise<void>
}

export function runInBackground(tasks: BackgroundTasks, options: BackgroundOptions): Background {
  const { clock, troubles } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const present = Object.values(tasks).filter((task) => task !== undefined)
  const running = present.map((task) => supervise((until) => runOnce(task, options, until), { clock, signal, trouble: troubles() }))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

const runOnce = (task: BackgroundTask, options: BackgroundOptions, until: AbortSignal): Promise<void> =>
  task.lease === null ? task.run(until) : underLease(options, task.lease, task.run, until)
