/** Checks the servers in the settings: whether they answer, and accept the name and the password. */
import type { Config } from '../../config/config.ts'
import { failed, ok, type Finding } from './finding.ts'

/** Asks each server that the roles of this process need. @throws StartRefused if a driver rejects an address */
export type AskServers = (config: Config) => Promise<{
  /** Number of servers; 0 if all engines are part of this process. */
  readonly asked: number
  /** Those that do not answer, with the reason in words for a person. */
  readonly away: readonly { readonly name: string; readonly reason: string }[]
}>

const CHECK = 'servers'
const REMEDY = 'Marquee waits for it at the start.'

export async function checkServers(config: Config, askServers: AskServers): Promise<readonly Finding[]> {
  try {
    const { asked, away } = await askServers(config)
    if (asked === 0) return []
    if (away.length === 0)
      return [ok(CHECK, asked === 1 ? 'The server in the settings answers' : `All ${asked} servers in the settings answer`)]
    return away.map(({ name, reason }) => failed(CHECK, `No answer from ${name}: ${reason}`, REMEDY))
  } catch (cause) {
    return [failed(CHECK, cause instanceof Error ? cause.message : String(cause), 'Correct the setting.')]
  }
}
