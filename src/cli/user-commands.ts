/** Implements `user add`, `list`, `password`, `grant`, `disable`, `enable`, `reset-second-factor` and `erase`. */
import { isRefusal, type Refusal } from '../domain/refusal.ts'
import type { Call, Command } from './command.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printData, report, wantsJson } from './command.ts'
import { findUser } from './find-named.ts'
import { columns } from '../process/columns.ts'

export const userCommands: readonly Command[] = [
  {
    words: 'user add',
    usage: '<email> --name <name> [--password <password>] [--role admin|user]',
    summary: 'creates a user; asks for the password if it is not given',
    takes: [1, 1],
    options: ['name', 'password', 'role'],
    required: ['name'],
    choices: { options: { role: ['admin', 'user'] } },
    run: addUser,
  },
  { words: 'user list', usage: '', summary: 'lists the users', takes: [0, 0], run: listUsers },
  {
    words: 'user password',
    usage: '<email or id> [--password <password>]',
    summary: 'sets the password of a user and ends all logins; asks for the password if it is not given',
    takes: [1, 1],
    options: ['password'],
    run: setPassword,
  },
  {
    words: 'user grant',
    usage: '<email or id> all | none | <library>...',
    summary: 'grants a user exactly these libraries (names or ids)',
    takes: [2, 101],
    run: grant,
  },
  {
    words: 'user disable',
    usage: '<email or id>',
    summary: 'disables a user, and ends all logins and sessions',
    takes: [1, 1],
    run: (call) => enable(call, false),
  },
  {
    words: 'user enable',
    usage: '<email or id>',
    summary: 'enables a disabled user',
    takes: [1, 1],
    run: (call) => enable(call, true),
  },
  {
    words: 'user reset-second-factor',
    usage: '<email or id>',
    summary: 'turns off the second factor of a user who has lost the device and the recovery codes',
    takes: [1, 1],
    run: resetSecondFactor,
  },
  {
    words: 'user erase',
    usage: '<email or id>',
    summary: 'removes a user and makes their personal data permanently unreadable; this cannot be undone',
    takes: [1, 1],
    run: erase,
  },
]

async function addUser(call: Call): Promise<number> {
  const { commands, terminal, options } = call
  const [email = ''] = call.rest
  const { name = '', role = 'user' } = options
  if (role !== 'admin' && role !== 'user') return misused(terminal, '--role is admin or user.')
  const password = options['password'] ?? (await terminal.askHidden(`Password for ${email}: `))
  if (password === undefined) return misused(terminal, 'Give a password with --password, or type one when asked.')
  const made = await commands.addUser({ email, name, password, role })
  if (isRefusal(made)) {
    terminal.complain(made.message)
    return NOT_DONE
  }
  printData(call, made, () => [`Made the account of ${email} (${role}), ${made.id}.`])
  return DONE
}

function misused(terminal: Call['terminal'], line: string): number {
  terminal.complain(line)
  return NOT_UNDERSTOOD
}

async function listUsers(call: Call): Promise<number> {
  const users = await call.commands.listUsers()
  const rows = users.map(({ id, email, name, role, enabled }) => [id, email, name, role, enabled ? '' : 'disabled'])
  printData(call, { users }, () => columns([['ID', 'E-MAIL', 'NAME', 'ROLE', ''], ...rows]))
  return DONE
}

async function setPassword(call: Call): Promise<number> {
  const { commands, terminal, rest, options } = call
  const [user = ''] = rest
  const password = options['password'] ?? (await terminal.askHidden(`New password for ${user}: `))
  if (password === undefined) return misused(terminal, 'Give a password with --password, or type one when asked.')
  return reportUser(
    call,
    await commands.setPassword({ user, password }),
    `The password of ${user} is changed, and all of their logins have ended.`,
  )
}

async function grant(call: Call): Promise<number> {
  const [user = '', ...names] = call.rest
  const [only] = names.length === 1 ? names : []
  const libraries = only === 'all' ? 'all' : only === 'none' ? [] : names
  const seen = libraries === 'all' ? 'all libraries' : libraries.join(', ') || 'no library'
  const refusal = await call.commands.grantLibraries({ user, libraries })
  const code = reportUser(call, refusal, `${user} sees ${seen}.`)
  if (refusal && names.length > 1 && names.some((name) => name === 'all' || name === 'none'))
    call.terminal.complain('For all libraries, or none, give only that word.')
  return code
}

async function enable(call: Call, enabled: boolean): Promise<number> {
  const [user = ''] = call.rest
  const done = enabled ? `${user} may sign in again.` : `${user} is disabled; all logins have ended.`
  return reportUser(call, await call.commands.enableUser({ user, enabled }), done)
}

async function resetSecondFactor(call: Call): Promise<number> {
  const [user = ''] = call.rest
  return reportUser(call, await call.commands.resetSecondFactor({ user }), `${user} signs in with the password alone.`)
}

async function erase(call: Call): Promise<number> {
  const [user = ''] = call.rest
  return report(call, await call.commands.eraseUser({ user }), `${user} is removed, and their personal data can no longer be read.`)
}

/** As JSON it is the user as the change has left them. */
async function reportUser(call: Call, refusal: Refusal | null, done: string): Promise<number> {
  const changed = refusal || !wantsJson(call) ? undefined : await findUser(call, call.rest[0] ?? '')
  return report(call, refusal, done, changed)
}
