/** Identifiers that tests can read: a word, filled up to 21 characters. */
import type { Id } from '../src/vocabulary/id.ts'

export const named = <Kind extends string>(word: string): Id<Kind> => word.padEnd(21, '0') as Id<Kind>
