/**
 * Splits work on one stream into several appends, since the log limits one append. A failure in between leaves the parts before it stored,
 * so each part must be idempotent: a repetition then adds only what is missing.
 */
import type { DomainEvent } from '../../events/catalogue.ts'
import type { Decision } from '../../domain/decider.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import { START, type Position } from '../../events/position.ts'
import { MAX_APPEND_BYTES } from '../../ports/event-log.ts'
import { unlessBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { Author, CommandHandler, Target } from './command-handler.ts'

interface PartLimits<Item> {
  readonly itemsMax: number
  /** Bytes of the items' JSON. */
  readonly bytesMax: number
  /** The value whose JSON counts; default: the item itself. */
  readonly measured?: (item: Item) => unknown
  /** Whether an item may be in the same part as the one before it; default: always. */
  readonly joins?: (item: Item, before: Item) => boolean
}

/** Neighbours together, within the limits. An item that is too large by itself is a part of its own. */
export function partsOf<Item>(
  items: readonly Item[],
  { itemsMax, bytesMax, measured = (item) => item, joins = () => true }: PartLimits<Item>,
): readonly (readonly Item[])[] {
  const parts: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(measured(item)))
    const part = parts.at(-1)
    const before = part?.at(-1)
    const fits = before !== undefined && joins(item, before) && (part?.length ?? 0) < itemsMax && bytes + size <= bytesMax
    if (part && fits) part.push(item)
    else parts.push([item])
    bytes = fits ? bytes + size : size
  }
  return parts
}

/** For commands whose events contain their items, and little else. */
const ITEMS_BYTES_MAX = MAX_APPEND_BYTES / 4

export interface PartwiseCommand<State, Item> {
  readonly target: Target<State>
  readonly items: readonly Item[]
  readonly itemsMax: number
  readonly decide: (part: readonly Item[]) => (state: State) => Decision
  readonly author: Author
}

export interface PartwiseDependencies {
  readonly commandHandler: Pick<CommandHandler, 'execute'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
}

/**
 * Appends a part after another, and lets the views catch up in between: they must not fall so far behind that the caller's own wait ends.
 * Stops at the first refusal. Without items nothing is appended, and the position is START.
 */
export async function executeInParts<State, Item>(
  { commandHandler, readYourWrites }: PartwiseDependencies,
  { target, items, itemsMax, decide, author }: PartwiseCommand<State, Item>,
): Promise<{ readonly events: readonly DomainEvent[]; readonly position: Position } | Refusal> {
  const events: DomainEvent[] = []
  let position: Position = START
  for (const part of partsOf(items, { itemsMax, bytesMax: ITEMS_BYTES_MAX })) {
    if (position !== START) await readYourWrites.waitFor(position).catch(unlessBehind)
    const done = await commandHandler.execute(target, decide(part), author)
    if (isRefusal(done)) return done
    events.push(...done.events)
    position = done.position
  }
  return { events, position }
}
