/** Reads answers and errors of HTTP servers elsewhere. */

/** Milliseconds of a `Retry-After` header, in seconds or as a date; undefined if it is missing or invalid. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** By the code of the system or of the client, such as ECONNREFUSED: their messages may contain the request. */
export function faultOf(cause: unknown): string {
  const code = codeOf(cause) ?? (cause instanceof Error ? codeOf(cause.cause) : undefined)
  return code === undefined ? 'broke off' : `cannot be reached (${code})`
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined
}
