/** Implements the operator commands of the command line, for a running server or for its files. */
import { libraryNamed } from './named-library.ts'
import type { MovieId } from '../../vocabulary/id.ts'
import { foldText, searchWords } from '../../vocabulary/text.ts'
import { primaryOf } from '../../../projections/views/movie-query-fields.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { placeIn } from '../../../projections/views/resume-place.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Access } from '../access/access.ts'
import type { AccountChanges } from '../accounts/account-changes.ts'
import type { Author } from '../commands/command-handler.ts'
import { createAccountOperators } from './account-operators.ts'
import { createHistoryOperators } from './history-operators.ts'
import type { HistoryImports } from '../history/history-imports.ts'
import type { Backups } from '../backup/backups.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Caller } from '../access/caller.ts'
import { firstAdmin } from './operator-caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { Libraries } from '../libraries/libraries.ts'
import type { LibraryLine, OperatorCommands, StartedPlay, VerificationAsk } from './operator-commands.ts'
import { followScan } from './operator-scan.ts'
import type { Playback } from '../playback/playback-types.ts'
import type { ScanControl } from '../scans/scans.ts'
import type { SecondFactors } from '../accounts/second-factors.ts'
import type { LoginMaker } from '../accounts/login-maker.ts'
import type { SignIns } from '../accounts/sign-in.ts'
import type { StreamAccess } from '../playback/stream-access.ts'
import { createTokenOperators, type TokenOperatorDependencies } from './token-operators.ts'
import { replay, type ReplayDependencies } from './replay.ts'
import { verifyLog, type VerifyOptions } from './verification.ts'

export interface OperatorDependencies extends Pick<ReplayDependencies, 'openScratchStore' | 'sealer'>, TokenOperatorDependencies {
  readonly access: Access
  readonly accounts: Accounts
  readonly changes: AccountChanges
  /** Makes another key that signs checkpoints, and returns its verifier. */
  readonly rotateKey: (author: Author) => Promise<string>
  readonly clock: Clock
  readonly readModels: ReadModels
  readonly historyImports: HistoryImports
  readonly readYourWrites: ReadYourWrites
  readonly libraries: Libraries
  readonly log: EventLog
  /** Compares the log with checkpoints and with the audit log. */
  readonly witness: (ask: VerificationAsk) => Promise<NonNullable<VerifyOptions['witness']> | Refusal>
  readonly playback: Playback
  readonly scans: ScanControl
  readonly secondFactors: Pick<SecondFactors, 'reset'>
  readonly signIns: SignIns & LoginMaker
  readonly streamAccess: StreamAccess
  readonly backups: Pick<Backups, 'run'>
  /** Addresses under which players reach the server; empty if none runs. */
  readonly urls: () => readonly string[]
}

const AUTHOR = { actor: 'cli' } as const
const ORIGIN = { requestId: 'command-line', address: null, client: 'marquee' }
const CHOICES_MAX = 10

/** All commands but `callApi`, which needs the HTTP server (src/wiring/operator-commands.ts). */
export function createOperatorCommands(deps: OperatorDependencies): Omit<OperatorCommands, 'callApi'> {
  const { libraries, playback } = deps

  return {
    ...createAccountOperators(deps),
    ...createHistoryOperators(deps),
    ...createTokenOperators(deps),
    listLibraries: () => listLibraries(deps),

    async addLibrary({ name, paths }) {
      const made = await libraries.createBy({ ...AUTHOR, command: 'createLibrary' }, { name, paths })
      return isRefusal(made) ? made : { id: made }
    },

    async scanLibrary(name, step, signal) {
      const libraryId = libraryNamed(deps.access, name)
      if (isRefusal(libraryId)) return libraryId
      return followScan(deps, libraryId, { step, signal })
    },
    startPlay: (movie) => startPlay(deps, movie),

    async beatPlay(id) {
      const own = sessionOf(deps, id)
      if (isRefusal(own)) return own
      const heard = await playback.heartbeat(own.caller, id, { positionMs: own.session.positionMs, playState: 'playing' }, ORIGIN)
      return isRefusal(heard) ? heard : null
    },
    endPlay: (id) => endPlay(deps, id),

    async rotateCheckpointKey() {
      return { verifier: await deps.rotateKey({ ...AUTHOR, command: 'rotateCheckpointKey' }) }
    },

    backup: deps.backups.run,

    replay: (until, signal) => replay(deps, until, signal),

    async verify(ask, step, signal) {
      const witness = await deps.witness(ask)
      return isRefusal(witness) ? witness : verifyLog(deps.log, { step, signal, witness })
    },
  }
}

/** Creates a separate login for the first administrator: sessions of the command line belong to it, and end with it. */
async function signInAsAdmin(deps: OperatorDependencies): Promise<Caller | Refusal> {
  const { access } = deps
  const first = firstAdmin(access)
  if (!first) return refuse('conflict', 'There is no administrator whose account could play')
  const { loginId } = await deps.signIns.open(first.id, false, ORIGIN)
  return access.callerByLogin(loginId) ?? refuse('conflict', 'Signing in did not work')
}

async function findMovie({ readModels }: OperatorDependencies, text: string): Promise<MovieId | Refusal> {
  const named = await readModels.movies.get(text)
  if (named) return named.id
  const { items } = await readModels.movies.find({
    where: [{ field: 'words', op: 'tokens', words: searchWords([text]) }],
    limit: 100,
  })
  const exact = items.filter(({ details }) => foldText(details.title) === foldText(text))
  const choices = exact.length > 0 ? exact : items
  const [only, other] = choices
  if (!only) return refuse('not-found', `There is no movie "${text}"`)
  if (!other) return only.id
  const names = choices.map(({ id, details }) => `${details.title} (${details.year ?? 'no year'}): ${id}`).toSorted()
  return refuse('conflict', `Several movies fit: ${names.slice(0, CHOICES_MAX).join('; ')}`)
}

function sessionOf({ access }: OperatorDependencies, id: string): { caller: Caller; session: SessionDocument } | Refusal {
  const session = access.session(id)
  const caller = session && access.callerByLogin(session.loginId)
  return session && caller ? { caller, session } : refuse('not-found', 'The session has ended')
}

async function listLibraries({ access, libraries }: OperatorDependencies): Promise<readonly LibraryLine[]> {
  const counted = await Promise.all([...access.libraries.values()].map((library) => libraries.count(library)))
  return counted.map((library) => ({
    id: library.id,
    name: library.name,
    state: stateOf(library),
    movieCount: library.movieCount,
    missingCount: library.missingCount,
    roots: library.roots.map(({ path, available }) => ({ path, available })),
  }))
}

async function startPlay(deps: OperatorDependencies, movie: string): Promise<StartedPlay | Refusal> {
  const { readModels, playback, streamAccess } = deps
  const movieId = await findMovie(deps, movie)
  if (isRefusal(movieId)) return movieId
  const caller = await signInAsAdmin(deps)
  if (isRefusal(caller)) return caller
  const document = await readModels.movies.get(movieId)
  const resume = (await readModels.ownOf(caller.userId, [movieId])).get(movieId)?.resume
  const startPositionMs = resume ? placeIn(primaryOf(document?.files ?? [])?.durationMs ?? null, resume).positionMs : 0
  const started = await playback.start(caller, { movieId, startPositionMs, client: PLAYER }, ORIGIN)
  if (isRefusal(started)) return started
  const { session } = started
  const { token } = streamAccess.issue(session)
  const urls = deps.urls().map((url) => `${url}/api/stream/${session.id}/master.m3u8?token=${token}`)
  return { sessionId: session.id, title: document?.details.title ?? '', urls } satisfies StartedPlay
}

async function endPlay(deps: OperatorDependencies, id: string): Promise<Refusal | null> {
  const own = sessionOf(deps, id)
  if (isRefusal(own)) return own
  const ended = await deps.playback.end(own.caller, id, ORIGIN)
  await deps.signIns.signOut(own.caller, ORIGIN)
  return ended ?? null
}

const PLAYER = { name: 'marquee play', version: null, device: null, deviceId: null }

const stateOf = ({ scanning, roots }: { readonly scanning: boolean; readonly roots: readonly { readonly available: boolean }[] }) => {
  if (scanning) return 'scanning' as const
  return roots.every(({ available }) => available) ? ('idle' as const) : ('offline' as const)
}
