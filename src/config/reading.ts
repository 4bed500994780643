/**
 * Reading: what comes of a written setting, either its value or what would have been right.
 */

/** The text cannot be taken; `wanted` completes the sentence "give ...". */
export interface Wrong {
  readonly wanted: string
}

/** Takes a text out of the environment; relative paths count from `folder`. */
export type Reader<Value> = (text: string, folder: string) => Value | Wrong

export const isWrong = (value: unknown): value is Wrong => typeof value === 'object' && value !== null && 'wanted' in value
