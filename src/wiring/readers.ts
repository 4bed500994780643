/** Finds the programs with which this process reads films. */
import { tryConfinement } from '../ffmpeg/confinement.ts'
import { findPrograms } from '../ffmpeg/ffmpeg-programs.ts'
import type { Config } from '../config/config.ts'
import type { Readers } from '../process/marquee.ts'
import { programEnvironment } from './ffmpeg-environment.ts'

/** Beside other work: most of it is waiting for programs. A node that leaves films to agents starts no program at all. */
export async function findReaders(config: Config): Promise<Readers> {
  if (config.mediaWork === 'agents' && !config.roles.includes('agent')) return { by: 'agents' }
  const found = findPrograms(programEnvironment(config)).catch((cause: Error) => ({ problem: cause.message }))
  await tryConfinement()
  return found
}
