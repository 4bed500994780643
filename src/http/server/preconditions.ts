/** Evaluates the preconditions of a request in the order of RFC 9110, section 13. */
import type { IncomingHttpHeaders } from 'node:http'

/** Methods under /v1 that evaluate `If-Match`. */
export const CONDITIONAL_WRITES: ReadonlySet<string> = new Set(['PATCH', 'PUT', 'DELETE'])

/** The validators that the response would have. */
export interface Validators {
  /** Strong, including its quotes. */
  readonly etag: string
  /** Whole seconds since the epoch, the precision of HTTP dates; undefined if unknown. */
  readonly modifiedAtSeconds?: number
}

/** `go`: proceed with the request. */
export type PreconditionAnswer = 'go' | 'not-modified' | 'failed'

export function checkPreconditions(headers: IncomingHttpHeaders, validators: Validators): PreconditionAnswer {
  if (!mayGo(headers, validators)) return 'failed'
  const known = headers['if-none-match']
  if (known !== undefined) return lists(known, validators.etag, weakly) ? 'not-modified' : 'go'
  const since = secondsOf(headers['if-modified-since'])
  return since !== undefined && validators.modifiedAtSeconds !== undefined && validators.modifiedAtSeconds <= since ? 'not-modified' : 'go'
}

function mayGo(headers: IncomingHttpHeaders, { etag, modifiedAtSeconds }: Validators): boolean {
  const wanted = headers['if-match']
  if (wanted !== undefined) return lists(wanted, etag, strongly)
  const unchangedSince = secondsOf(headers['if-unmodified-since'])
  return unchangedSince === undefined || modifiedAtSeconds === undefined || modifiedAtSeconds <= unchangedSince
}

/** Whether a range may be served: the client's part of the file is of this version. */
export function rangeHolds(ifRange: string | undefined, { etag, modifiedAtSeconds }: Validators): boolean {
  if (ifRange === undefined) return true
  const text = ifRange.trim()
  return text.startsWith('"') || text.startsWith('W/')
    ? strongly(text, etag)
    : secondsOf(text) === modifiedAtSeconds && modifiedAtSeconds !== undefined
}

const ETAG = /(?:W\/)?"[^"]*"/g

function lists(header: string, etag: string, same: (a: string, b: string) => boolean): boolean {
  return header.trim() === '*' || (header.match(ETAG) ?? []).some((candidate) => same(candidate, etag))
}

const weakly = (a: string, b: string) => a.replace(/^W\//, '') === b.replace(/^W\//, '')
const strongly = (a: string, b: string) => a === b && !a.startsWith('W/')

/** Seconds of an HTTP date; undefined if it is invalid. */
function secondsOf(date: string | undefined): number | undefined {
  const ms = date === undefined || !/^[A-Z][a-z]{2}/.test(date) ? Number.NaN : Date.parse(date)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
