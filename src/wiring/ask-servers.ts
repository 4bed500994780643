/** Asks the servers in the settings whether they answer, for the command line. It changes nothing on them. */
import { createSystemClock } from '../adapters/node/clock.ts'
import type { Config } from '../config/config.ts'
import type { AskServers } from '../process/doctor/server-checks.ts'
import type { Clock } from '../ports/clock.ts'
import type { Server } from '../ports/server.ts'
import { closeAll, forSetting, named, openEventLog, openMessaging, openReadStore } from './adapters.ts'
import { serversAway } from './wait-for-servers.ts'

interface Opened {
  readonly engine?: Server
  close(this: void): Promise<void>
}

const ATTEMPTS = 3
const PAUSE_MS = 1_000

export const askServers: AskServers = async (config) => {
  const clock = createSystemClock()
  const opened: Opened[] = []
  try {
    for (const open of openersOf(config, clock)) opened.push(await open())
    const servers = opened.flatMap(({ engine }) => engine ?? [])
    return await ask(servers, clock)
  } finally {
    await closeAll(opened)
  }
}

/** The engines on servers that the roles need. A file of the data folder is not opened. */
function openersOf(config: Config, clock: Clock): readonly (() => Promise<Opened>)[] {
  const { bus, eventLog, readStore, roles, vault } = config
  const options = { config, clock, name: 'marquee-doctor', onError: () => undefined }
  const keepsViews = roles.some((role) => role !== 'agent')
  return [
    ...(bus === 'local:' ? [] : [() => openMessaging(options)]),
    ...(eventLog === 'sqlite:' || !keepsViews ? [] : [() => openEventLog(options)]),
    ...(readStore === 'sqlite:' || !keepsViews ? [] : [() => openReadStore(options)]),
    ...(vault === 'sqlite:' || !roles.includes('api') ? [] : [() => openVaultServer(vault, clock)]),
  ]
}

/** Only its connection: the vault itself makes indexes. */
async function openVaultServer(url: string, clock: Clock): Promise<Opened> {
  const { connectMongo } = await import('../adapters/mongodb/connection.ts')
  const connection = forSetting('MARQUEE_VAULT', () => connectMongo({ url, clock }))
  return { engine: named(connection.engine, 'MARQUEE_VAULT', url), close: () => connection.close() }
}

/** A connection over a long distance takes a moment. */
async function ask(servers: readonly Server[], clock: Clock): ReturnType<AskServers> {
  for (let attempt = 1; ; attempt++) {
    const away = await serversAway(servers)
    if (away.length === 0 || attempt === ATTEMPTS) return { asked: servers.length, away }
    await clock.sleep(PAUSE_MS)
  }
}
