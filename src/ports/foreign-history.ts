/** ForeignHistory: watch histories of another program's users, read from its database or from a file that it exports. */
import type { ImportItem } from '../events/history-events.ts'

/** Programs whose histories can be read. */
export const FOREIGN_PROGRAMS = ['jellyfin', 'plex', 'kodi', 'tautulli', 'trakt', 'letterboxd'] as const
export type ForeignProgram = (typeof FOREIGN_PROGRAMS)[number]

export interface ForeignUser {
  /** The program's own identifier of the user. */
  readonly id: string
  readonly name: string
}

export interface ForeignWatch extends ImportItem {
  /** Id of the user. */
  readonly user: string
}

export interface ForeignHistory {
  /** Describes the source for a person: `Jellyfin 10.11 database`. */
  readonly description: string
  /** Every user who has watched something; for a file of one person, that person alone. */
  readonly users: readonly ForeignUser[]
  /** Movies only. Watches without a known time are left out and counted in `undated`. */
  readonly watches: readonly ForeignWatch[]
  readonly undated: number
}

/** The file is not of the expected kind; the message names the expected one. */
export class ForeignHistoryUnreadable extends Error {
  readonly code = 'foreign-history-unreadable'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ForeignHistoryUnreadable'
  }
}

/** @throws ForeignHistoryUnreadable */
export type ReadForeignHistory = (program: ForeignProgram, file: string) => Promise<ForeignHistory>
