/**
 * Timeouts of media tests. Their errors say what was not answered, and what the programs that this process has started were doing: a machine
 * with much else to do takes seconds for a request, never a minute, so that such an error means that something waits for nothing.
 */
import { readFileSync, readdirSync } from 'node:fs'

const PATIENCE_MS = 60_000

/** Aborted after a minute. `what`: for the error, for example `segment 3 of 240p`. */
export function patience(what: string, ms = PATIENCE_MS): AbortSignal {
  const limit = new AbortController()
  const end = (): void => limit.abort(new Error(`No ${what} within ${ms / 1000} s. Programs: ${programsHere().join('; ') || 'none'}`))
  setTimeout(end, ms).unref()
  return limit.signal
}

/** The children of this process by `/proc`: command, state and processor time of each thread. Empty where there is no such folder. */
function programsHere(): readonly string[] {
  const own = `/proc/${process.pid}/task`
  return listed(own)
    .flatMap((task) => textOf(`${own}/${task}/children`).split(' '))
    .filter(Boolean)
    .map((pid) => {
      const threads = listed(`/proc/${pid}/task`).map((task) => threadOf(pid, task))
      return `${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}(${threads.join(', ')})`
    })
}

/** Name, state, function of the kernel that it waits in, and clock ticks of processor time. */
function threadOf(pid: string, task: string): string {
  const [, name, rest = ''] = /\((.*)\) (.*)/.exec(textOf(`/proc/${pid}/task/${task}/stat`)) ?? []
  const fields = rest.split(' ')
  return `${name} ${fields[0]} ${textOf(`/proc/${pid}/task/${task}/wchan`)} ${Number(fields[11]) + Number(fields[12])}`
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
