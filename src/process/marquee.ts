/** The interface between a process and the Marquee that wiring builds from a configuration and a data folder. */
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import type { Config } from '../config/config.ts'
import type { Programs } from '../ffmpeg/ffmpeg-programs.ts'
import type { OwnedFolder } from './data-folder.ts'
import type { FirstAdmin, ProgramsFound } from './start-text.ts'

export interface Marquee {
  /** Starts listening and working. @throws the system's error, for example `EADDRINUSE` */
  start(): Promise<Started>
  /**
   * Adds folders. With a name, all of them become the library of that name; otherwise each becomes a library named after the folder.
   * A folder that belongs to a library stays there. Starts scans of those libraries without waiting for them.
   */
  addMediaFolders(paths: readonly string[], name: string | undefined): Promise<void>
  /** Reports the progress of those scans, a line now and then, until each has ended or the server stops. Returns at once. */
  reportScans(print: (line: string) => void): void
  readonly commands: OperatorCommands
  /** Stops the work and closes resources; may be called in any state. */
  stop(): Promise<void>
}

export interface Started {
  readonly port: number
  /** The first account, if this start created it. */
  readonly firstAdmin?: FirstAdmin
  /** The e-mail address of the only account, if an earlier start created it and nobody has signed in yet. */
  readonly unusedAccount?: string
  readonly programs: ProgramsFound
  /** The public key that verifies the signatures of checkpoints: `name+hash+key`. */
  readonly checkpointKey: string
}

export type Readers = ProgramsFound & Partial<Programs>

export interface MarqueeOptions {
  readonly config: Config
  readonly folder: OwnedFolder
  /** Folders to add; the start fails if one neither exists nor is known. */
  readonly media?: readonly string[]
  /** The programs that read films, if they are being searched for already. */
  readonly readers?: Promise<Readers> | undefined
}

export type CreateMarquee = (options: MarqueeOptions) => Promise<Marquee>
