/** The name of a login, from the user agent of its client. */
import { say } from '../words/words.ts'

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const

/** "Firefox, Windows", or the beginning of what the client calls itself. */
export function loginName(userAgent: string | null): string {
  if (userAgent === null) return say('settings.logins.unknown')
  const browser = BROWSERS.find((name) => userAgent.includes(`${name}/`))
  const system = SYSTEMS.find((name) => userAgent.includes(name))
  return browser === undefined ? userAgent.slice(0, 60) : [NAMES[browser] ?? browser, system].filter(Boolean).join(', ')
}
