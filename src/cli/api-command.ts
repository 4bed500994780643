/** Implements `api`: any request of the API, for the operations that have no command of their own. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ApiAsk } from '../app/operator/operator-commands.ts'
import { parsed, sendRequest } from './api-request.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, wantsJson, type Call, type Command } from './command.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The command socket takes no longer line. */
const LONGEST_REQUEST_BYTES = 500 * 1024

export const apiCommand: Command = {
  words: 'api',
  usage: `${METHODS.join('|')} <path, /v1/...> [--body <JSON, @file, or - for standard input>]`,
  summary:
    'sends a request of the API (`/docs` describes it) as the first administrator, and prints the answer; streams and files need HTTP',
  takes: [2, 2],
  options: ['body'],
  choices: { first: METHODS },
  run: callApi,
}

async function callApi(call: Call): Promise<number> {
  const ask = await readAsk(call)
  if ('problem' in ask) {
    call.terminal.complain(ask.problem)
    return NOT_UNDERSTOOD
  }
  const answer = await sendRequest(call, ask, { isShown: true })
  if (!answer) return NOT_DONE
  const line = wantsJson(call) ? answer.body.trimEnd() || '{}' : indented(answer.body)
  if (line !== '') call.terminal.print(line)
  return DONE
}

async function readAsk({ rest: [named = '', path = ''], options, folder }: Call): Promise<ApiAsk | { readonly problem: string }> {
  const method = METHODS.find((one) => one === named.toUpperCase())
  if (!method) return { problem: `${named} is no method of the API: ${METHODS.join(', ')}.` }
  if (!isApiPath(path)) return { problem: `${path} is no path of the API: it begins with /v1/ or /api/.` }
  const given = options['body']
  if (given === undefined) return { method, path, body: null }
  if (method === 'GET') return { problem: 'GET has no --body.' }
  const body = await readBody(given, folder).catch(() => undefined)
  if (body === undefined) return { problem: `--body ${given}: this file cannot be read.` }
  if (parsed(body) === undefined) return { problem: '--body is not JSON.' }
  const ask = { method, path, body }
  return Buffer.byteLength(JSON.stringify(ask)) > LONGEST_REQUEST_BYTES ? { problem: '--body is longer than 500 kB: use HTTP.' } : ask
}

/** As the router will read it: `/v1/../docs` is not below `/v1/`. */
function isApiPath(path: string): boolean {
  const url = path.startsWith('/') ? URL.parse(path, 'http://localhost') : null
  return url?.host === 'localhost' && /^\/(?:v1|api)\//.test(url.pathname)
}

async function readBody(given: string, folder: string): Promise<string> {
  if (given === '-') return text(process.stdin)
  return given.startsWith('@') ? readFile(resolve(folder, given.slice(1)), 'utf8') : given
}

/** Text that is not JSON, CSV for example, stays. Control characters other than line ends are removed: a title may have some. */
function indented(body: string): string {
  const value = parsed(body)
  const shown = value === undefined ? body.trimEnd() : JSON.stringify(value, null, 2)
  return shown.replaceAll(/[^\P{Cc}\n\t]/gu, '')
}
