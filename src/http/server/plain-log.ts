/** Formats log lines for a person at a terminal: the same content in plain words. */

/** Members that every line has, and that do not interest a person. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'method', 'path', 'status', 'ms', 'err', 'requestId', 'userId'])
const LEVELS: Readonly<Record<number, string>> = { 10: 'trace ', 20: 'debug ', 40: 'warning ', 50: 'error ', 60: 'fatal ' }

/** Turns a JSON line into `10:15:02 GET /v1/movies 200 3.2 ms`; a line that is not JSON stays as it is. */
export function plainLine(json: string): string {
  const line = parsed(json)
  if (!line) return json
  const time = new Date(Number(line['time'] ?? 0)).toTimeString().slice(0, 8)
  const { err } = line
  const failure = isObject(err) ? [`${text(err['type'])}: ${text(err['message'])}`] : []
  const others = Object.entries(line).filter(([name]) => !LEFT_OUT.has(name))
  const words = [what(line), ...failure, ...others.map(([name, value]) => `${name}=${text(value)}`)]
  return `${time} ${LEVELS[Number(line['level'])] ?? ''}${words.join(' ')}\n`
}

const what = ({ method, path, status, ms, msg }: Readonly<Record<string, unknown>>): string =>
  method === undefined ? text(msg) : `${text(method)} ${text(path)} ${text(status)}${ms === undefined ? '' : ` ${text(ms)} ms`}`

/** One line, without characters that control a terminal. */
const text = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const line: unknown = JSON.parse(json)
    return isObject(line) ? line : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** A person at a terminal reads words, not JSON. */
export const writePlainly = (line: string): void => void process.stdout.write(plainLine(line))
