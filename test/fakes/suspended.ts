/** Suspends a process: a signal alone takes effect on its threads a moment later, and until then they answer. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 10
const LOOKS = 500
/** Of a system that does not show the states of threads. */
const MOMENT_MS = 200

/** @throws Error a thread has not stopped after five seconds */
export async function suspend(pid: number, stop: () => void): Promise<void> {
  stop()
  for (let look = 0; look < LOOKS; look++) {
    const states = await statesOf(pid)
    if (states === undefined) return sleep(MOMENT_MS)
    if (states.every((state) => state === 'T')) return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`Process ${pid} has not stopped`)
}

/** Of each thread; undefined if the system does not show them. */
async function statesOf(pid: number): Promise<readonly (string | undefined)[] | undefined> {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder).catch(() => undefined)
  // A thread that has ended since counts as stopped. Its name, in brackets, may hold anything.
  const stateOf = async (thread: string) => {
    const text = await readFile(`${folder}/${thread}/stat`, 'utf8').catch(() => ') T')
    return text.slice(text.lastIndexOf(')') + 2)[0]
  }
  return threads && Promise.all(threads.map(stateOf))
}
