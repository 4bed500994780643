/** Marquee as its process sees it: what wiring makes out of a configuration and a data folder. */
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import type { Config } from '../config/config.ts'
import type { OwnedFolder } from './data-folder.ts'
import type { FirstAdmin, ProgramsFound } from './start-text.ts'

export interface Marquee {
  /** Listens and works from here on. @throws what the system says, for example `EADDRINUSE` */
  start(): Promise<Started>
  /**
   * Takes folders in: with a name all of them as the library of that name, otherwise each as a library called as the folder is.
   * A folder that a library has already stays there. Has those libraries scanned, and does not wait for the scans.
   */
  addMediaFolders(paths: readonly string[], name: string | undefined): Promise<void>
  /** Tells how the scans of those folders go, a line now and then, until each has ended or the server stops. Returns at once. */
  tellScans(tell: (line: string) => void): void
  readonly commands: OperatorCommands
  /** Ends what runs and closes what is open; may be called in any state. */
  stop(): Promise<void>
}

export interface Started {
  readonly port: number
  /** The account that this start has made, if it is the first one. */
  readonly firstAdmin?: FirstAdmin
  readonly programs: ProgramsFound
  /** What verifies the signatures of checkpoints: `name+hash+key`. */
  readonly checkpointKey: string
}

export interface MarqueeOptions {
  readonly config: Config
  readonly folder: OwnedFolder
  /** Folders that will be taken in: one that is neither there nor known stops the start. */
  readonly media?: readonly string[]
}

export type CreateMarquee = (options: MarqueeOptions) => Promise<Marquee>
