/**
 * Position: an event's place in the whole log. Commit order, strictly increasing, may have gaps.
 *
 * Internally a zero-padded string of 20 digits, so that it sorts as text in every store; on the wire it is `seq`, the same number without
 * padding.
 */
export type Position = string & { readonly brand: 'Position' }

const DIGITS = 20

/** The position before the first event. */
export const START = '0'.repeat(DIGITS) as Position

/** After every event. */
export const BEYOND = '9'.repeat(DIGITS) as Position

/** Makes a position from a non-negative integer. */
export function toPosition(value: number | bigint): Position {
  return value.toString().padStart(DIGITS, '0') as Position
}

/** Decimal string without padding, for clients. */
export function toSeq(position: Position): string {
  return position.replace(/^0+(?=\d)/, '')
}

/** Parses a `seq` from a client; undefined unless it is a decimal number of at most 20 digits. */
export function fromSeq(seq: string): Position | undefined {
  return /^(0|[1-9]\d{0,19})$/.test(seq) ? (seq.padStart(DIGITS, '0') as Position) : undefined
}

/** Whether a value is a position in the form used in messages and documents. */
export const isPosition = (value: unknown): value is Position => typeof value === 'string' && /^\d{20}$/.test(value)

/** The later of two positions. */
export function later(a: Position, b: Position): Position {
  return a > b ? a : b
}
