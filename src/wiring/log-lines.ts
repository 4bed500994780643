/** The lines of the log about the background, in the form of those about requests: JSON, or plain words at a terminal. */
import { hostname } from 'node:os'
import { createSystemClock } from '../adapters/node/clock.ts'
import { currentRequest } from '../concurrency/current-request.ts'
import type { Config } from '../config/config.ts'
import { plainLine } from '../http/server/plain-log.ts'
import { redact } from '../http/server/redaction.ts'
import type { Report } from '../ports/report.ts'
import { oneLine } from '../process/start-failure.ts'

/** As in pino, which writes the lines about requests. */
const NUMBERS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity } as const

export interface ReportOptions {
  /** The least level that is written. */
  readonly level: Config['logLevel']
  /** `text`: the words alone, for the command line. */
  readonly form?: 'json' | 'plain' | 'text'
  /** Writes a line that has its line end. */
  readonly write?: (line: string) => void
}

/** Looked up once. */
const PROCESS = { pid: process.pid, hostname: hostname() }

const toStandardError = (line: string): void => void process.stderr.write(line)

/** A line ends with the id of the request that caused it, if one did. */
export function createReport({
  level: least,
  form = process.stderr.isTTY ? 'plain' : 'json',
  write = toStandardError,
}: ReportOptions): Report {
  const clock = createSystemClock()
  return (cause, level = 'error') => {
    if (NUMBERS[level] < NUMBERS[least]) return
    const msg = level === 'info' || level === 'debug' ? wordsOf(cause) : oneLine(cause)
    if (form === 'text') return write(redact(`${msg}\n`))
    const requestId = currentRequest.current()
    const head = { level: NUMBERS[level], time: clock.now(), ...PROCESS }
    const json = `${JSON.stringify({ ...head, msg, ...(requestId === undefined ? {} : { requestId }) })}\n`
    return write(redact(form === 'json' ? json : plainLine(json)))
  }
}

/** Without the place in the code, which says nothing about what works. */
const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ')
