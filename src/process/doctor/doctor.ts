/** Checks for common problems before or while a server runs. It changes nothing except a temporary file. */
import type { Loaded } from '../../config/load.ts'
import { checkDatabases } from './database-checks.ts'
import { checkDataFolder } from './disk-checks.ts'
import { failed, ok, warning, type Finding } from './finding.ts'
import { checkFolders } from './folder-checks.ts'
import { checkMachine } from './machine-checks.ts'
import { checkApiUrl, checkNetwork } from './network-checks.ts'
import { checkPrograms } from './program-checks.ts'
import { checkServers, type AskServers } from './server-checks.ts'

const PLACES = { proc: '/proc', cgroup: '/sys/fs/cgroup', run: '/run' } as const

export interface Examination {
  readonly loaded: Loaded
  readonly askServers: AskServers
  /** Hears of checks that take a while. */
  readonly print: (line: string) => void
}

/** The settings come first: without them only the machine can be checked. */
export async function examine({ loaded, askServers, print }: Examination): Promise<readonly Finding[]> {
  const machine = checkMachine(PLACES)
  if ('problems' in loaded) {
    return [...loaded.problems.map((problem) => failed('settings', problem, 'Correct it in the environment or the .env file.')), ...machine]
  }
  const { config, warnings } = loaded
  const settings =
    warnings.length === 0
      ? [ok('settings', 'All are understood')]
      : warnings.map((text) => warning('settings', text, 'Correct the name, or remove the setting.'))
  const { dataDir, ffmpegPath, ffprobePath } = config
  const env = { ...process.env, ...(ffmpegPath ? { FFMPEG_PATH: ffmpegPath } : {}), ...(ffprobePath ? { FFPROBE_PATH: ffprobePath } : {}) }
  return [
    ...settings,
    ...checkDataFolder(dataDir),
    ...checkDatabases(config, print),
    ...(await checkFolders(config)),
    ...(await checkPrograms(env)),
    ...(await checkServers(config, askServers)),
    ...(await checkApiUrl(config)),
    ...(await checkNetwork(config)),
    ...machine,
  ]
}
