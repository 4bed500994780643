/** Implements `user change`, `remove`, `allow-link` and `forbid-link`. */
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { STREAMS_MAX } from '../domain/accounts/user.ts'
import { asks, sendJson } from './api-request.ts'
import { NOT_DONE, NOT_UNDERSTOOD, report, type Call, type Command } from './command.ts'
import { findUser } from './find-named.ts'

export const userChangeCommands: readonly Command[] = [
  {
    words: 'user change',
    usage: '<email or id> [--role admin|user] [--email <email>] [--name <name>] [--streams <number>|unlimited]',
    summary: 'changes the given properties of a user; --streams limits how many films they play at once',
    takes: [1, 1],
    options: ['role', 'email', 'name', 'streams'],
    choices: { options: { role: ['admin', 'user'], streams: ['unlimited'] } },
    run: changeUser,
  },
  {
    words: 'user remove',
    usage: '<email or id>',
    summary: 'removes a user and frees the e-mail address; what they watched stays, while `user erase` makes it unreadable',
    takes: [1, 1],
    run: removeUser,
  },
  {
    words: 'user allow-link',
    usage: '<email or id>',
    summary: 'for seven days, lets a sign-in at the identity provider with the same verified e-mail link the account without its password',
    takes: [1, 1],
    run: (call) => consent(call, 'PUT'),
  },
  {
    words: 'user forbid-link',
    usage: '<email or id>',
    summary: 'withdraws what `user allow-link` has allowed',
    takes: [1, 1],
    run: (call) => consent(call, 'DELETE'),
  },
]

async function changeUser(call: Call): Promise<number> {
  const { terminal, rest, options } = call
  const [named = ''] = rest
  const { role, email, name, streams } = options
  const problem = problemOf(options)
  if (problem !== undefined) {
    terminal.complain(problem)
    return NOT_UNDERSTOOD
  }
  const maxConcurrentStreams = streams === 'unlimited' ? null : streams === undefined ? undefined : Number(streams)
  const body = omitUndefined({ role, email, name, maxConcurrentStreams })
  const user = await findUser(call, named)
  if (!user) return unknown(call, named)
  const changed = await sendJson(call, asks('PATCH', `/v1/users/${user.id}`, body))
  if (!changed) return NOT_DONE
  return report(call, null, `${named} is changed: ${Object.keys(options).join(', ')}.`, changed)
}

function problemOf({ role, streams, ...others }: Call['options']): string | undefined {
  if (role === undefined && streams === undefined && Object.keys(others).length === 0) return 'Give --role, --email, --name or --streams.'
  if (role !== undefined && role !== 'admin' && role !== 'user') return '--role is admin or user.'
  const isLimit = streams === undefined || streams === 'unlimited' || (/^[1-9]\d{0,3}$/.test(streams) && Number(streams) <= STREAMS_MAX)
  return isLimit ? undefined : `--streams is a whole number from 1 to ${STREAMS_MAX}, or unlimited.`
}

async function removeUser(call: Call): Promise<number> {
  const [named = ''] = call.rest
  const user = await findUser(call, named)
  if (!user) return unknown(call, named)
  const removed = await sendJson(call, asks('DELETE', `/v1/users/${user.id}`))
  if (!removed) return NOT_DONE
  return report(call, null, `${named} is removed. \`user erase ${user.id}\` also makes their personal data unreadable.`, removed)
}

/** `PUT` gives the consent to link the account by its address, `DELETE` withdraws it. */
async function consent(call: Call, method: 'PUT' | 'DELETE'): Promise<number> {
  const [named = ''] = call.rest
  const user = await findUser(call, named)
  if (!user) return unknown(call, named)
  const answer = await sendJson(call, asks(method, `/v1/users/${user.id}/single-sign-on/consent`))
  if (!answer) return NOT_DONE
  const done =
    method === 'PUT'
      ? `${named} is linked by the next sign-in at the identity provider with this verified e-mail, within seven days.`
      : `Linking ${named} needs the password.`
  return report(call, null, done, answer)
}

function unknown({ terminal }: Call, named: string): number {
  terminal.complain(`There is no user ${named}`)
  return NOT_DONE
}
