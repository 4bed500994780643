/** Sends requests of the API for commands, and prints its errors. */
import type { ApiAnswer, ApiAsk } from '../app/operator/operator-commands.ts'
import { isRefusal } from '../domain/refusal.ts'
import { printable } from '../process/columns.ts'
import type { Call } from './command.ts'

const FIRST_ERROR = 400

/** The answer; undefined if the request was refused, which is then printed, with its status if that `isShown`. */
export async function sendRequest(
  { commands, signal, terminal }: Call,
  ask: ApiAsk,
  status: { readonly isShown: boolean },
): Promise<ApiAnswer | undefined> {
  const answer = await commands.callApi(ask, signal)
  if (isRefusal(answer)) {
    terminal.complain(`${answer.message}.`)
    return undefined
  }
  if (answer.status < FIRST_ERROR) return answer
  for (const line of errorLines(answer, status)) terminal.complain(printable(line))
  return undefined
}

/** The message, and each problem of a value on a line of its own. */
function errorLines({ status, body }: ApiAnswer, { isShown }: { readonly isShown: boolean }): readonly string[] {
  const value = Object(parsed(body)) as { readonly error?: unknown; readonly details?: unknown }
  const details = Array.isArray(value.details) ? (value.details as readonly Record<string, unknown>[]) : []
  const problems = details.map(({ path, message }) => `  ${path === '' ? 'the body' : String(path)}: ${String(message)}`)
  const message = typeof value.error === 'string' ? value.error : 'The request failed'
  return [isShown ? `${message} (HTTP ${status}).` : `${message}.`, ...problems]
}

/** Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A request, without a body by default. */
export const asks = (method: ApiAsk['method'], path: string, body?: object): ApiAsk => ({
  method,
  path,
  body: body === undefined ? null : JSON.stringify(body),
})

/** The parsed answer, `{}` if it has no body; undefined if the request was refused, which is then printed. */
export async function sendJson(call: Call, ask: ApiAsk): Promise<object | undefined> {
  const answer = await sendRequest(call, ask, { isShown: false })
  return answer && Object(parsed(answer.body || '{}'))
}
