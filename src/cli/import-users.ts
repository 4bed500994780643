/**
 * Maps users of the other program to accounts: in a file that a person can read and edit, with one line per user.
 * The value is an account here (e-mail address or id), or null to leave that user's history out.
 */
import { existsSync, writeFileSync } from 'node:fs'
import type { AccountLine } from '../app/operator/operator-commands.ts'
import type { ForeignUser } from '../ports/foreign-history.ts'
import { readGivenFile } from './given-file.ts'

/** Account by the id of the other program's user. */
export type UserMap = ReadonlyMap<string, string>

interface Line {
  readonly id: string
  readonly name: string
  readonly account: string | null
}

/** Matches equal names; a single user is matched to a single account. */
export function guessUsers(users: readonly ForeignUser[], accounts: readonly AccountLine[]): readonly Line[] {
  const [only, other] = accounts
  return users.map(({ id, name }) => {
    const same = accounts.find((one) =>
      [one.name, one.email, one.email.split('@')[0] ?? ''].some((text) => sameName(text) === sameName(name)),
    )
    return { id, name, account: same?.email ?? (users.length === 1 && only && !other ? only.email : null) }
  })
}

const sameName = (text: string): string => text.normalize('NFKC').toLowerCase()

/** False: the file existed already, and stays unchanged. */
export function writeUsers(file: string, lines: readonly Line[]): boolean {
  if (existsSync(file)) return false
  writeFileSync(file, `${JSON.stringify({ users: lines }, null, 2)}\n`)
  return true
}

/** @throws Error the file cannot be read, or has another format than `writeUsers` writes */
export function readUsers(file: string): UserMap {
  const shape = (): Error => new Error(`${file} must hold {"users": [{"id": "...", "name": "...", "account": "<e-mail or id>" or null}]}.`)
  const lines = usersIn(readGivenFile(file, 'Users', 'Give the file that --dry-run has written'))
  if (!lines) throw shape()
  return new Map(
    lines.flatMap((line) => {
      const { id, account } = Object(line) as Partial<Line>
      if (typeof id !== 'string' || (typeof account !== 'string' && account !== null)) throw shape()
      return account === null ? [] : [[id, account] as const]
    }),
  )
}

function usersIn(text: string): readonly unknown[] | undefined {
  try {
    const { users } = Object(JSON.parse(text)) as { readonly users?: unknown }
    return Array.isArray(users) ? users : undefined
  } catch {
    return undefined
  }
}
