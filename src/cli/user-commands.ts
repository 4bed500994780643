/** `user add` and `user list`. */
import { isRefusal } from '../domain/refusal.ts'
import type { Call, Command } from './command.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD } from './command.ts'
import { columns } from './columns.ts'

export const userCommands: readonly Command[] = [
  {
    words: 'user add',
    usage: '<email> --name <name> [--password <password>] [--role admin|user]',
    summary: 'makes an account; asks for the password when it is not given',
    takes: [1, 1],
    options: ['name', 'password', 'role'],
    required: ['name'],
    run: addUser,
  },
  { words: 'user list', usage: '', summary: 'lists the accounts', takes: [0, 0], run: listUsers },
]

async function addUser({ commands, terminal, rest: [email = ''], options }: Call): Promise<number> {
  const { name = '', role = 'user' } = options
  if (role !== 'admin' && role !== 'user') return misused(terminal, '--role is admin or user.')
  const password = options['password'] ?? (await terminal.askHidden(`Password for ${email}: `))
  if (password === undefined) return misused(terminal, 'Give a password with --password, or type one when asked.')
  const made = await commands.addUser({ email, name, password, role })
  if (isRefusal(made)) {
    terminal.complain(made.message)
    return NOT_DONE
  }
  terminal.say(`Made the account of ${email} (${role}), ${made.id}.`)
  return DONE
}

function misused(terminal: Call['terminal'], line: string): number {
  terminal.complain(line)
  return NOT_UNDERSTOOD
}

async function listUsers({ commands, terminal }: Call): Promise<number> {
  const users = await commands.listUsers()
  const rows = users.map(({ id, email, name, role, enabled }) => [id, email, name, role, enabled ? '' : 'disabled'])
  for (const line of columns([['ID', 'E-MAIL', 'NAME', 'ROLE', ''], ...rows])) terminal.say(line)
  return DONE
}
