/**
 * Reads Jellyfin's history: for each user and film whether and how often it was watched, when last, and its resume position. In 10.11 and
 * later it is in `jellyfin.db`; before that in `library.db`, with the users in the adjacent `jellyfin.db`; or in the JSON of its
 * `/Users/<id>/Items`.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../ports/foreign-history.ts'
import { readForeignDatabase, type ForeignDatabase, type ForeignRow } from '../sqlite/foreign-database.ts'
import { countFrom, movieFrom, textFrom, timeFrom, usersOf, watchesOf } from './values.ts'

const MOVIE = `'MediaBrowser.Controller.Entities.Movies.Movie'`

/** A movie has a row for each of its keys; the last one written counts. */
const NEW_ROWS = `
  select d.UserId as user, b.Id as item, b.Name as title, b.ProductionYear as year,
    (select ProviderValue from BaseItemProviders where ItemId = b.Id and lower(ProviderId) = 'imdb') as imdb,
    (select ProviderValue from BaseItemProviders where ItemId = b.Id and lower(ProviderId) = 'tmdb') as tmdb,
    d.Played as played, d.PlayCount as plays, d.PlaybackPositionTicks as ticks, d.LastPlayedDate as lastAt
  from UserData d join BaseItems b on b.Id = d.ItemId
  where b.Type = ${MOVIE} order by d.LastPlayedDate`

const OLD_ROWS = `
  select d.userId as user, d.key as item, t.Name as title, t.ProductionYear as year, t.ProviderIds as ids,
    d.played as played, d.playCount as plays, d.playbackPositionTicks as ticks, d.lastPlayedDate as lastAt
  from UserDatas d join TypedBaseItems t on t.UserDataKey = d.key
  where t.type = ${MOVIE} order by d.lastPlayedDate`

export function readJellyfin(file: string): ForeignHistory {
  return readForeignDatabase(file, (database) => {
    if (database.hasTables('UserData', 'BaseItems', 'BaseItemProviders', 'Users')) {
      const names = namesIn(database, 'Id')
      return historyOf('Jellyfin database', database.rows(NEW_ROWS), names)
    }
    if (database.hasTables('UserDatas', 'TypedBaseItems')) {
      const accounts = join(dirname(file), 'jellyfin.db')
      const names = existsSync(accounts) ? readForeignDatabase(accounts, (users) => namesIn(users, 'InternalId')) : new Map()
      return historyOf('Jellyfin database (before 10.11)', database.rows(OLD_ROWS).map(withProviderIds), names)
    }
    throw new ForeignHistoryUnreadable(`${file} does not hold what Jellyfin's users watched. Give jellyfin.db, or library.db before 10.11.`)
  })
}

const namesIn = (database: ForeignDatabase, key: 'Id' | 'InternalId'): ReadonlyMap<string, string> =>
  database.hasTables('Users')
    ? new Map(database.rows(`select ${key} as id, Username as name from Users`).map(({ id, name }) => [textFrom(id), textFrom(name)]))
    : new Map()

/** `Imdb=tt0088846|Tmdb=68` */
function withProviderIds(row: ForeignRow): ForeignRow {
  const ids = new Map(
    textFrom(row['ids'])
      .split('|')
      .map((pair) => [pair.slice(0, pair.indexOf('=')).toLowerCase(), pair.slice(pair.indexOf('=') + 1)]),
  )
  return { ...row, imdb: ids.get('imdb') ?? null, tmdb: ids.get('tmdb') ?? null }
}

/** The answer of `/Users/<id>/Items?IncludeItemTypes=Movie&Recursive=true&Fields=ProviderIds`, which is one user's. */
export function readJellyfinExport(json: unknown): ForeignHistory {
  const { Items: items } = Object(json) as { readonly Items?: unknown }
  if (!Array.isArray(items)) {
    throw new ForeignHistoryUnreadable(
      'The file is not what Jellyfin answers to /Users/<id>/Items?IncludeItemTypes=Movie&Recursive=true&Fields=ProviderIds.',
    )
  }
  const rows = items.filter(({ Type = 'Movie' }) => Type === 'Movie').map((item: ExportedItem) => rowOf(item))
  return historyOf('Jellyfin export', rows, new Map([['', 'Jellyfin']]))
}

interface ExportedItem {
  readonly Id?: string
  readonly Name?: string
  readonly ProductionYear?: number
  readonly ProviderIds?: { readonly Imdb?: string; readonly Tmdb?: string }
  readonly UserData?: {
    readonly Played?: boolean
    readonly PlayCount?: number
    readonly PlaybackPositionTicks?: number
    readonly LastPlayedDate?: string
  }
}

function rowOf({ Id, Name, ProductionYear, ProviderIds = {}, UserData = {} }: ExportedItem): ForeignRow {
  return {
    user: '',
    item: Id ?? Name ?? '',
    title: Name ?? null,
    year: ProductionYear ?? null,
    imdb: ProviderIds.Imdb ?? null,
    tmdb: ProviderIds.Tmdb ?? null,
    played: UserData.Played === true ? 1 : 0,
    plays: UserData.PlayCount ?? 0,
    ticks: UserData.PlaybackPositionTicks ?? 0,
    lastAt: UserData.LastPlayedDate ?? null,
  }
}

const TICKS_PER_MS = 10_000

function historyOf(description: string, rows: readonly ForeignRow[], names: ReadonlyMap<string, string>): ForeignHistory {
  const last = new Map(rows.map((row) => [`${textFrom(row['user'])} ${textFrom(row['item'])}`, row]))
  let undated = 0
  const watches = [...last.values()].flatMap((row): readonly ForeignWatch[] => {
    const movie = movieFrom({ title: row['title'], year: row['year'], imdb: row['imdb'], tmdb: row['tmdb'] })
    const isWatched = countFrom(row['played']) > 0
    const positionMs = Math.round(countFrom(row['ticks']) / TICKS_PER_MS)
    if (!movie || (!isWatched && positionMs === 0)) return []
    const lastAt = timeFrom(row['lastAt'])
    if (lastAt === null) {
      undated += 1
      return []
    }
    return watchesOf({ user: textFrom(row['user']), movie, lastAt, isWatched, plays: countFrom(row['plays']), positionMs })
  })
  return { description, users: usersOf(watches, (id) => names.get(id) || `User ${id}`), watches, undated }
}
