/** Watcher based on the operating system's notifications, by @parcel/watcher; loaded when the first folder is watched. */
import { onDriveOf, realpathMedia } from '../../drives/media-files.ts'
import type { Clock } from '../../ports/clock.ts'
import type { WatchListener, Watcher, Watching } from '../../ports/watcher.ts'

/** Starting on a big tree takes about half a second for each thousand folders. */
const START_MS = 120_000
const STOP_MS = 10_000
const NO_ANSWER = 'The watcher does not answer'

export function createParcelWatcher({ clock }: { readonly clock: Clock }): Watcher {
  /** Folders that nobody waits for any longer. Another attempt would wait for the same dead drive, and take a place of the folder's drive. */
  const stuck = new Set<string>()
  return {
    async watch(folder, listener) {
      const { subscribe } = await import('@parcel/watcher')
      // Changes are reported by the real path, whatever link led there.
      const real = await within(clock, realpathMedia(folder), STOP_MS)
      if (stuck.has(real)) throw new Error(NO_ANSWER)
      let open = true
      const subscribing = onDriveOf(real, async () => {
        const subscription = await subscribe(real, (error, events) => {
          if (open) report(listener, error, error ? [] : events.map(({ path }) => folder + path.slice(real.length)))
        })
        // Nobody waited that long.
        if (!open) await subscription.unsubscribe()
        return subscription
      })
      const close = async (): Promise<void> => {
        open = false
        // A folder that no longer exists cannot be unsubscribed.
        const ending = subscribing.then((subscription) => subscription.unsubscribe()).catch(() => {})
        await within(clock, ending, STOP_MS)
      }
      try {
        await within(clock, subscribing, START_MS)
      } catch (cause) {
        open = false
        stuck.add(real)
        void subscribing.catch(() => {}).finally(() => stuck.delete(real))
        throw cause
      }
      return { close } satisfies Watching
    },
  }
}

function report(listener: WatchListener, error: Error | null, paths: readonly string[]): void {
  if (error) listener.lost(error)
  else listener.changed(paths)
}

async function within<Value>(clock: Clock, work: Promise<Value>, ms: number): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const disarm = clock.after(ms, () => late.reject(new Error(NO_ANSWER)))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    disarm()
  }
}
