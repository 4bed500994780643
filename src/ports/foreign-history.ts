/** ForeignHistory: what another program knows of what its users have watched, read from its database or from a file that it exports. */
import type { ImportItem } from '../events/history-events.ts'

/** Programs whose histories can be read. */
export const FOREIGN_PROGRAMS = ['jellyfin', 'plex', 'kodi', 'tautulli', 'trakt', 'letterboxd'] as const
export type ForeignProgram = (typeof FOREIGN_PROGRAMS)[number]

export interface ForeignUser {
  /** As the program tells its users apart. */
  readonly id: string
  readonly name: string
}

export interface ForeignWatch extends ImportItem {
  /** Id of the user. */
  readonly user: string
}

export interface ForeignHistory {
  /** What was read, for a person: `Jellyfin 10.11 database`. */
  readonly description: string
  /** Everybody who has watched something; of a file of one person that person alone. */
  readonly users: readonly ForeignUser[]
  /** Movies only. Of a film without a known time nothing is given: `undated` counts them. */
  readonly watches: readonly ForeignWatch[]
  readonly undated: number
}

/** The file is not what it should be; the message says what was expected. */
export class ForeignHistoryUnreadable extends Error {
  readonly code = 'foreign-history-unreadable'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ForeignHistoryUnreadable'
  }
}

/** @throws ForeignHistoryUnreadable */
export type ReadForeignHistory = (program: ForeignProgram, file: string) => Promise<ForeignHistory>
