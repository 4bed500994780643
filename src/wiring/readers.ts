/** Finds the programs with which this process reads films. */
import { tryConfinement } from '../ffmpeg/confinement.ts'
import { findPrograms } from '../ffmpeg/ffmpeg-programs.ts'
import type { Config } from '../config/config.ts'
import { StartRefused } from '../process/start-failure.ts'
import type { Readers } from '../process/marquee.ts'
import { programEnvironment } from './ffmpeg-environment.ts'

/** Beside other work: most of it is waiting for programs. A node that leaves films to agents starts no program at all. */
export async function findReaders(config: Config): Promise<Readers> {
  if (config.mediaWork === 'agents' && !config.roles.includes('agent')) return { by: 'agents' }
  const environment = programEnvironment(config)
  const found = findPrograms(environment).catch((cause: Error) => {
    // Without ffmpeg the rest works, but a setting that is wrong is one to put right.
    if (environment['FFMPEG_PATH'] || environment['FFPROBE_PATH']) throw new StartRefused(cause.message, { cause })
    return { problem: cause.message }
  })
  await Promise.all([found, tryConfinement()])
  return found
}
