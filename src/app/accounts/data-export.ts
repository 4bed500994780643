/** Exports all data about one user, piece by piece, each with a `type`. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { Access } from '../access/access.ts'
import type { Accounts } from './accounts.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { Logins, OpenedLogin } from './logins.ts'
import type { Preferences } from './preferences.ts'
import type { PagePoint } from '../read-models/page.ts'
import type { Sealer } from '../commands/sealer.ts'

/**
 * The user's account, preferences, logins, marks (watched, resume point, watchlist), sessions, and every event about the user. Each piece
 * is read on demand.
 */
export type ExportData = (userId: UserId) => AsyncIterable<JsonObject>

export interface ExportDependencies {
  readonly access: Access
  readonly accounts: Accounts
  readonly readModels: ReadModels
  readonly logins: Logins
  readonly preferences: Pick<Preferences, 'get'>
  readonly sealer: Sealer
  /** Every event about the user, with its proof. */
  readonly auditLines: (userId: UserId) => AsyncIterable<JsonObject>
}

const PAGE = 100

export function createDataExport(deps: ExportDependencies): ExportData {
  const { access, accounts, auditLines, readModels, logins, preferences, sealer } = deps

  async function* loginsOf(userId: UserId): AsyncGenerator<OpenedLogin> {
    for (let after: PagePoint | null | undefined; after !== null;) {
      const page = await logins.list(userId, { limit: PAGE, ...omitUndefined({ after }) })
      yield* page.items
      after = page.next
    }
  }

  /** The ids of marks begin with the user's id, so one range of ids holds them all. */
  async function* marksOf(userId: UserId): AsyncGenerator<UserMovieDocument> {
    const prefix = `${userId}_`
    for (let after: PagePoint | null = { value: null, id: prefix }; after !== null;) {
      const page = await readModels.userMovies.find({ after, limit: PAGE })
      const own = page.items.filter(({ id }) => id.startsWith(prefix))
      yield* own
      after = own.length === page.items.length ? page.next : null
    }
  }

  return async function* exportData(userId) {
    const user = access.users.get(userId)
    if (!user) return
    yield { type: 'account', ...(await accounts.open(user)) }
    yield { type: 'preferences', preferences: await preferences.get(userId) }
    for await (const { accessToken, ...login } of loginsOf(userId))
      yield { type: accessToken ? 'accessToken' : 'login', ...login, ...accessToken }
    for await (const mark of marksOf(userId)) yield markLine(mark)
    for (const session of [...access.sessions.values()].filter((one) => one.userId === userId)) {
      yield sessionLine(session, session.client && ((await sealer.open(session.client)) ?? null))
    }
    yield* auditLines(userId)
  }
}

function markLine(mark: UserMovieDocument): JsonObject {
  const { movieId, watched, watchedAt, playCount, lastPlayedAt, watchlistAt, resume } = mark
  const point = resume && { fileId: resume.fileId, position: resume.positionMs / 1000, duration: resume.durationMs / 1000, at: resume.at }
  return { type: 'movie', movieId, watched, watchedAt, playCount, lastPlayedAt, watchlistAt, resume: point }
}

function sessionLine(session: SessionDocument, client: string | null): JsonObject {
  const { id, movieId, fileId, playState, positionMs, createdAt, beatAt } = session
  return { type: 'session', id, movieId, fileId, playState, position: positionMs / 1000, client, createdAt, lastHeartbeatAt: beatAt }
}
