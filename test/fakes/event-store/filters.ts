/** Filters of a subscription to `$all`: by stream name or event type, by prefixes or by a regular expression. */
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { Recorded } from './recorded.ts'

export interface Filter {
  readonly passes: (event: Recorded) => boolean
  /** Number of examined events between checkpoints. */
  readonly checkpointEvery: number
}

/** Default number of events that the real server examines at once. */
const SEARCH_WINDOW = 32

/** @throws the regular expression is invalid */
export function filterOf(options: ReadReq.Options.FilterOptions | undefined): Filter | undefined {
  if (!options) return undefined
  const byStream = options.getStreamIdentifier()
  const expression = byStream ?? options.getEventType()
  const matches = matcher(expression?.getRegex() ?? '', expression?.getPrefixList() ?? [])
  const window = options.hasMax() ? options.getMax() : SEARCH_WINDOW
  return {
    passes: ({ stream, type }) => matches(byStream ? stream : type),
    checkpointEvery: window * Math.max(1, options.getCheckpointintervalmultiplier()),
  }
}

function matcher(regex: string, prefixes: readonly string[]): (text: string) => boolean {
  if (regex === '') return (text) => prefixes.some((prefix) => text.startsWith(prefix))
  const expression = new RegExp(regex)
  return (text) => expression.test(text)
}
