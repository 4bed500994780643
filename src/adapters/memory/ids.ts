/** Ids that count up: for tests. */
import type { Id } from '../../vocabulary/id.ts'
import type { Ids } from '../../ports/ids.ts'

const ID_LENGTH = 21
const TOKEN_LENGTH = 43
const UUID_TAIL = 12

/** `series`, one hexadecimal digit, distinguishes the ids of several nodes in one test. */
export function createTestIds({ series = '0' }: { readonly series?: string } = {}): Ids {
  const count = { id: 0, event: 0, token: 0 }
  return {
    next: <Kind extends string>() => `${series}${numbered(++count.id, ID_LENGTH - 1)}` as Id<Kind>,
    event: () => `0000000${series}-0000-4000-8000-${numbered(++count.event, UUID_TAIL)}`,
    token: () => `token-${series}-${numbered(++count.token, TOKEN_LENGTH - 8)}`,
  }
}

const numbered = (value: number, length: number): string => value.toString().padStart(length, '0')
