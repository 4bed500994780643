/** Implements `token add`, `list` and `revoke`. */
import type { NewTokenAsk } from '../app/operator/operator-commands.ts'
import { isRefusal } from '../domain/refusal.ts'
import type { Call, Command } from './command.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printData, report } from './command.ts'
import { columns } from '../process/columns.ts'

const SCOPES: NewTokenAsk['scopes'] = ['read', 'playback', 'write', 'admin']
const DAYS = { fewest: 1, most: 366, standard: '90' }
const NAME_MAX = 200

export const tokenCommands: readonly Command[] = [
  {
    words: 'token add',
    usage: '<email or id> --name <name> [--scopes read,playback,write,admin] [--days <1 to 366>]',
    summary: 'makes an access token for a program, and prints it this once; by default it reads, for 90 days',
    takes: [1, 1],
    options: ['name', 'scopes', 'days'],
    required: ['name'],
    run: addToken,
  },
  {
    words: 'token list',
    usage: '<email or id>',
    summary: 'lists the access tokens of a user',
    takes: [1, 1],
    run: listTokens,
  },
  { words: 'token revoke', usage: '<email or id> <token id>', summary: 'ends an access token', takes: [2, 2], run: revokeToken },
]

async function addToken(call: Call): Promise<number> {
  const { commands, options, rest, terminal } = call
  const [user = ''] = rest
  const { name = '', scopes: listed = 'read', days: written = DAYS.standard } = options
  const scopes = SCOPES.filter((scope) => listed.split(',').includes(scope))
  const days = Number(written)
  const fault = faultOf({ name, listed, scopes, days })
  if (fault !== undefined) {
    terminal.complain(fault)
    return NOT_UNDERSTOOD
  }
  const made = await commands.addToken({ user, name: name.trim(), scopes, days })
  if (isRefusal(made)) {
    terminal.complain(made.message)
    return NOT_DONE
  }
  printData(call, made, () => [
    made.token,
    `Keep it: it is not shown again. It ends in ${days} days, or by: token revoke ${user} ${made.id}`,
  ])
  return DONE
}

interface Wanted {
  readonly name: string
  readonly listed: string
  readonly scopes: NewTokenAsk['scopes']
  readonly days: number
}

function faultOf({ name, listed, scopes, days }: Wanted): string | undefined {
  if (scopes.length !== new Set(listed.split(',')).size) return `--scopes names some of ${SCOPES.join(', ')}, divided by commas.`
  if (!Number.isInteger(days) || days < DAYS.fewest || days > DAYS.most)
    return `--days is a whole number from ${DAYS.fewest} to ${DAYS.most}.`
  return name.trim() === '' || name.length > NAME_MAX ? `--name has 1 to ${NAME_MAX} characters.` : undefined
}

async function listTokens(call: Call): Promise<number> {
  const [user = ''] = call.rest
  const tokens = await call.commands.listTokens({ user })
  if (isRefusal(tokens)) {
    call.terminal.complain(tokens.message)
    return NOT_DONE
  }
  const rows = tokens.map(({ id, name, scopes, expiresAt, lastUsedAt }) => [id, name, scopes.join(','), expiresAt, lastUsedAt ?? 'never'])
  printData(call, { tokens }, () => columns([['ID', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED'], ...rows]))
  return DONE
}

async function revokeToken(call: Call): Promise<number> {
  const [user = '', id = ''] = call.rest
  return report(call, await call.commands.revokeToken({ user, id }), `The access token ${id} has ended.`)
}
