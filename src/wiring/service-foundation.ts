/** What all services stand on: the views of this node, who may what, commands, and read models. */
import { createAccess } from '../app/access/access.ts'
import { createViewWatchdog } from '../app/access/view-watchdog.ts'
import type { SignUpMode } from '../app/accounts/sign-up.ts'
import type { SingleSignOnRules } from '../app/accounts/single-sign-on.ts'
import { createCommandHandler } from '../app/commands/command-handler.ts'
import { createChangePositions } from '../app/feed/change-positions.ts'
import { createPassingTexts } from '../app/commands/passing-texts.ts'
import { createSealer } from '../app/commands/sealer.ts'
import { createPlaylistTokens } from '../app/playback/playlist-tokens.ts'
import type { SessionStreams } from '../app/playback/session-streams.ts'
import { createReadModels } from '../app/read-models/read-models.ts'
import type { Meters } from '../ports/meters.ts'
import type { ScryptCost } from '../ports/scrypt.ts'
import type { BackupOptions } from './backup-service.ts'
import type { Ports } from './ports.ts'
import { createViewServices } from './view-services.ts'
import type { Report } from '../ports/report.ts'

export interface ServiceOptions {
  readonly ports: Ports
  readonly streams: SessionStreams
  readonly node: string
  readonly idleSeconds: number
  readonly mediaRoots: readonly string[]
  /** The signing secret, followed by older ones that still verify. */
  readonly secrets: readonly [string, ...string[]]
  readonly probeWidth: number
  /** Cost of hashing a password; tests use a cheap one. */
  readonly passwordCost?: ScryptCost
  /** Who may sign up; default: nobody. */
  readonly signUp?: SignUpMode
  /** The token that the first sign-up must send. */
  readonly setupToken?: string | undefined
  /** Undefined: without an identity provider. */
  readonly singleSignOn?: SingleSignOnRules | undefined
  /** Addresses under which players reach the server. */
  readonly urls: () => readonly string[]
  readonly onError: Report
  /** Counts what came of tries to deliver webhooks. */
  readonly webhookSettled?: Meters['webhook'] | undefined
  /** Parts that backups need in addition to log and vault; tests that make none leave it out. */
  readonly backups?: BackupOptions
}

export type Foundation = ReturnType<typeof createFoundation>

export function createFoundation({ ports, secrets, streams, node, onError }: ServiceOptions) {
  const { log, vault, clock, ids } = ports
  const reads = createViewServices({ ports, node, onError })
  const { readYourWrites } = reads
  const sealer = createSealer(vault)
  const playlistTokens = createPlaylistTokens(clock)
  const access = createAccess(clock, {
    behindMs: () => readYourWrites.skews.behindMs(),
    sessionGone(sessionId) {
      streams.leave(sessionId)
      playlistTokens.forget(sessionId)
    },
  })
  return {
    ...reads,
    access,
    lastChanges: createChangePositions({ access, readYourWrites, head: () => log.head() }),
    commandHandler: createCommandHandler({ log, clock, ids, sealer, node }),
    readModels: createReadModels(reads.liveStore),
    viewWatchdog: createViewWatchdog({ clock, log, furthest: readYourWrites.furthest, onError }),
    passingTexts: createPassingTexts({ clock, secrets }),
    playlistTokens,
    sealer,
  }
}
