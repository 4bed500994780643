/** Defines the result of reading a setting: its value, or a description of a valid one. */

/** An invalid text; `wanted` completes the sentence "give ...". */
export interface Wrong {
  readonly wanted: string
}

/** Parses a text from the environment; `folder` is the base of relative paths. */
export type Reader<Value> = (text: string, folder: string) => Value | Wrong

export const isWrong = (value: unknown): value is Wrong => typeof value === 'object' && value !== null && 'wanted' in value
