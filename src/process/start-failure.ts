/** Explains in one line for a person why a server could not start. */
import { StorageTrouble } from '../ports/server.ts'
import type { Config } from '../config/config.ts'

/** A start failure that a person can fix; the message states in one line what is wrong and what to do. */
export class StartRefused extends Error {
  readonly code = 'start-refused'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartRefused'
  }
}

export function startFailure(cause: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string {
  if (cause instanceof StartRefused || cause instanceof StorageTrouble) return cause.message
  switch (codeOf(cause)) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program. Stop that one, or give another port with MARQUEE_PORT (0 takes a free one).`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `MARQUEE_HOST=${host} is not an address of this machine. 0.0.0.0 stands for all of its addresses.`
    case 'EACCES':
      return `This user may not listen on port ${port}. Give a port above 1023 with MARQUEE_PORT.`
    case 'ENOSPC':
      return 'The disk is full. Make room, then start again.'
    default:
      return `The server could not start: ${oneLine(cause)}`
  }
}

/** Message, cause and place of an error, without the rest of the stack. */
export function oneLine(cause: unknown): string {
  if (cause instanceof StartRefused) return cause.message
  const reason = cause instanceof Error && cause.cause instanceof Error ? `: ${cause.cause.message}` : ''
  const text = `${cause instanceof Error ? cause.message : String(cause)}${reason}`.replaceAll(/\s+/g, ' ')
  if (!(cause instanceof Error)) return text
  const place = placeIn(cause.stack ?? '')
  return `${cause.name === 'Error' ? '' : `${cause.name}: `}${text}${place ? ` (${place})` : ''}`
}

/** File, line and column of the first frame that has them. */
function placeIn(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    if (!/^\s+at /.test(line)) continue
    const end = line.endsWith(')') ? line.slice(0, -1) : line
    const place = end.slice(Math.max(end.lastIndexOf('('), end.lastIndexOf(' ')) + 1)
    if (/\d:\d+$/.test(place.slice(-20))) return place.replace('file://', '')
  }
  return undefined
}

/** EACCES on a file needs another message than on a port. */
function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  const isListening = 'syscall' in cause && (cause.syscall === 'listen' || cause.syscall === 'bind')
  return cause.code === 'EACCES' && !isListening ? undefined : String(cause.code)
}
