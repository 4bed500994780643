/**
 * Reading: what comes of a written setting, either its value or what would have been right.
 */

/** The text cannot be taken; `wanted` completes the sentence "give ...". */
export interface Wrong {
  readonly wanted: string
}

/** The text is right, but names something that this version cannot do; `instead` completes the sentence "use ...". */
export interface NotYet {
  readonly notYet: string
  readonly instead: string
}

/** Takes a text out of the environment; relative paths count from `folder`. */
export type Reader<Value> = (text: string, folder: string) => Value | Wrong | NotYet

const has = (value: unknown, member: string) => typeof value === 'object' && value !== null && member in value

export const isWrong = (value: unknown): value is Wrong => has(value, 'wanted')
export const isNotYet = (value: unknown): value is NotYet => has(value, 'notYet')
