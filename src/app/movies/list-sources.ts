/**
 * Defines the stretches that a list of movies is read from: one index of `movies` for most sorts; blocks of one index for a random order;
 * for sorts by playback, the caller's own documents, with all other movies after or before them.
 */
import type { Json } from '../../events/envelope.ts'
import type { MovieId, UserId } from '../../vocabulary/id.ts'
import type { MovieCard, MovieDocument } from '../../../projections/views/movie-document.ts'
import { isLongEnough, placeResume } from '../../../projections/views/resume-place.ts'
import { userMovieId, type UserMovieDocument } from '../../../projections/views/user-movies.ts'
import type { Filter, Query } from '../../ports/read-store.ts'
import type { ReadModels, Unparsed } from '../read-models/read-models.ts'
import type { MovieSort } from './movie-query.ts'
import type { ListPage, PagePoint } from '../read-models/page.ts'
import { shuffledBlocks, type ShuffleBlock } from './shuffle.ts'
import { lookedFor, type ListSource, type SourceWalk } from './list-pager.ts'

/** A movie with the caller's own state of it (null: none yet). */
export interface MovieForUser {
  readonly movie: ListedMovie
  readonly own: UserMovieDocument | null
}

/** The members of a movie that lists show and sort by. */
export interface ListedMovie extends Pick<MovieDocument, 'id' | 'card'>, Partial<Pick<MovieDocument, IndexedField | 'shuffle'>> {
  /** JSON of the card, as it is stored. */
  readonly cardText?: string
}

export interface MovieOrder {
  readonly userId: UserId
  readonly where: readonly Filter[]
  readonly order: 'asc' | 'desc'
  /** Only these movies. */
  readonly among?: readonly string[]
}

type Walk = SourceWalk<MovieForUser>
type IndexedField = 'sortTitle' | 'year' | 'releaseDate' | 'addedAt' | 'rating' | 'durationMs' | 'sizeBytes'
export type PlayedField = 'lastPlayedAt' | 'playCount'

export const INDEXED: Readonly<Partial<Record<MovieSort, IndexedField>>> = {
  title: 'sortTitle',
  year: 'year',
  releaseDate: 'releaseDate',
  addedAt: 'addedAt',
  rating: 'rating',
  duration: 'durationMs',
  size: 'sizeBytes',
}

/** `seed`: for a random order. */
export function movieWalk(readModels: ReadModels, sort: MovieSort, { seed, ...order }: MovieOrder & { readonly seed: number }): Walk {
  const field = INDEXED[sort]
  if (field) return { stretches: [alongIndex(readModels, order, field)], stretchOf: () => 0 }
  return sort === 'random'
    ? shuffledWalk(readModels, order, seed)
    : playedWalk(readModels, order, sort === 'playCount' ? sort : 'lastPlayedAt')
}

/** A point without an id is before the first item. */
const isStart = ({ id }: PagePoint) => id === ''
const afterOf = (point: PagePoint) => (isStart(point) ? {} : { after: point })

/**
 * Its card is parsed when somebody reads it: a list sends most of it as it is stored. A class, because objects that each have a getter of
 * their own each have a hidden class of their own, with which the garbage collector keeps them until it next collects everything.
 */
class StoredMovie implements ListedMovie {
  readonly id: MovieId
  readonly cardText: string
  #card: MovieCard | undefined

  constructor({ id, text, part }: Unparsed<MovieDocument>) {
    Object.assign(this, part)
    this.id = id as MovieId
    this.cardText = text
  }

  get card(): MovieCard {
    return (this.#card ??= JSON.parse(this.cardText) as MovieCard)
  }
}

/** Movies by their ids, as lists show them, in no order and without those that are gone. */
export async function moviesByIds(readModels: ReadModels, userId: UserId, ids: readonly string[]): Promise<readonly MovieForUser[]> {
  if (ids.length === 0) return []
  const found = await findMovies(readModels, { among: ids, only: ['card'], limit: ids.length })
  return (await withOwn(readModels, userId, found)).items
}

/** `find` of movies, each with the JSON of its card. */
async function findMovies({ movies }: ReadModels, query: Query & { readonly only: readonly string[] }): Promise<ListPage<ListedMovie>> {
  const { items, next } = await movies.findUnparsed({ ...query, unparsed: 'card' })
  return { items: items.map((item) => new StoredMovie(item)), next }
}

async function withOwn(readModels: ReadModels, userId: UserId, page: ListPage<ListedMovie>): Promise<ListPage<MovieForUser>> {
  const own = await readModels.ownOf(
    userId,
    page.items.map(({ id }) => id),
  )
  const items = page.items.map((movie) => ({ movie, own: own.get(movie.id) ?? null }))
  return { items: await placeListed(readModels, items), next: page.next }
}

/** Reads the files only of movies whose primary file is too short for the resume point. */
async function placeListed({ movies }: ReadModels, listed: readonly MovieForUser[]): Promise<readonly MovieForUser[]> {
  const short = listed.filter(({ movie, own }) => own?.resume && !isLongEnough(movie.card.durationMs, own.resume))
  if (short.length === 0) return listed
  const filesOf = new Map((await movies.getMany(short.map(({ movie }) => movie.id))).map(({ id, files }) => [id, files]))
  return listed.map((one) => {
    const files = filesOf.get(one.movie.id)
    return files && one.own ? { ...one, own: placeResume(files, one.own) } : one
  })
}

export const amongOf = ({ among }: Pick<MovieOrder, 'among'>): Pick<Query, 'among'> => (among ? { among } : {})

function alongIndex(readModels: ReadModels, order: MovieOrder, field: IndexedField): ListSource<MovieForUser> {
  const query = { where: order.where, sort: { field, direction: order.order }, only: ['card', field], ...amongOf(order) }
  return {
    start: { value: null, id: '' },
    read: async (after, limit) => withOwn(readModels, order.userId, await findMovies(readModels, { ...query, limit, ...afterOf(after) })),
    pointOf: ({ movie }) => ({ value: movie[field] ?? null, id: movie.id }),
  }
}

/** Points are `[seed, block, place]`, so that a walk without a given seed keeps the seed it started with. */
function shuffledWalk(readModels: ReadModels, order: MovieOrder, seed: number): Walk {
  const blocks = shuffledBlocks(seed, order.order === 'asc')
  const stretches = blocks.map((bounds, block): ListSource<MovieForUser> => {
    const place = (value: Json, id: string) => shuffledPoint(seed, block, { value, id })
    const query = { ...blockQuery(order, bounds), only: ['card', 'shuffle'] }
    return {
      start: place(null, ''),
      pointOf: ({ movie }) => place(movie.shuffle ?? null, movie.id),
      async read(after, limit) {
        const inBlock = { value: partOf(after.value, 2), id: after.id }
        const page = await findMovies(readModels, { ...query, limit, ...afterOf(inBlock) })
        return withOwn(readModels, order.userId, { ...page, next: page.next && place(page.next.value, page.next.id) })
      },
    }
  })
  return { stretches, stretchOf: ({ value }) => Number(partOf(value, 1)) }
}

export const shuffledPoint = (seed: number, block: number, { value, id }: PagePoint): PagePoint => ({ value: [seed, block, value], id })

/** Query for one block of a random order. */
export const blockQuery = (order: Pick<MovieOrder, 'where' | 'among'>, { from, to, direction }: ShuffleBlock) => ({
  where: [...order.where, { field: 'shuffle', op: 'gte', value: from }, { field: 'shuffle', op: 'lt', value: to }] as const,
  sort: { field: 'shuffle', direction } as const,
  ...amongOf(order),
})

const partOf = (value: Json, n: number): Json => (Array.isArray(value) ? (value[n] ?? null) : null)

/** The seed in a point of a random order; undefined for other points. */
export function seedOf(point: PagePoint | undefined): number | undefined {
  const seed = point && partOf(point.value, 0)
  return typeof seed === 'number' ? seed : undefined
}

function playedWalk(readModels: ReadModels, order: MovieOrder, field: PlayedField): Walk {
  const played = playedStretch(readModels, order, field)
  const others = otherStretch(readModels, order, field)
  const stretches = othersFirst(field, order.order) ? [others, played] : [played, others]
  return { stretches, sparse: true, stretchOf: ({ value }) => stretches.indexOf(value === null ? others : played) }
}

/** A movie that was never played has no time, which sorts last in both directions; its count is 0, which is less than any other. */
export const othersFirst = (field: PlayedField, order: MovieOrder['order']): boolean => field === 'playCount' && order === 'asc'

/** The caller's own documents of all movies that the caller has played, in order. */
export function playedQuery({ userId, order, among }: MovieOrder, field: PlayedField) {
  const least: Filter = field === 'playCount' ? { field, op: 'gt', value: 0 } : { field, op: 'gte', value: '' }
  return {
    where: [{ field: 'userId', op: 'eq', value: userId }, least] as const,
    sort: { field, direction: order } as const,
    ...(among ? { among: among.map((id) => userMovieId(userId, id as MovieId)) } : {}),
  }
}

/** Converts a point in the caller's own documents into a point of the list. */
export const toMoviePoint = (userId: UserId, { value, id }: PagePoint): PagePoint => ({
  value,
  id: id.slice(userMovieId(userId, '' as MovieId).length),
})

/** Movies that the caller has played, along an index of the caller's own documents. */
function playedStretch(readModels: ReadModels, order: MovieOrder, field: PlayedField): ListSource<MovieForUser> {
  const { userId, where } = order
  const query = playedQuery(order, field)
  return {
    start: { value: 0, id: '' },
    pointOf: ({ movie, own }) => ({ value: own?.[field] ?? null, id: movie.id }),
    async read(after, limit) {
      const ownAfter = isStart(after) ? {} : { after: { value: after.value, id: userMovieId(userId, after.id as MovieId) } }
      const page = await readModels.userMovies.find({ ...query, limit, ...ownAfter })
      const asked = page.items.map(({ movieId }) => movieId)
      const found =
        asked.length > 0 ? (await findMovies(readModels, { where, among: asked, only: ['card'], limit: asked.length })).items : []
      const movies = new Map(found.map((movie) => [movie.id, movie]))
      const items = page.items.flatMap((own) => {
        const movie = movies.get(own.movieId)
        return movie ? [{ movie, own }] : []
      })
      return {
        items: await placeListed(readModels, items),
        next: page.next && toMoviePoint(userId, page.next),
        looked: lookedFor(page, limit),
      }
    },
  }
}

/** All movies that the caller has not played, by id. */
function otherStretch(readModels: ReadModels, order: MovieOrder, field: PlayedField): ListSource<MovieForUser> {
  return {
    start: { value: null, id: '' },
    pointOf: ({ movie }) => ({ value: null, id: movie.id }),
    async read(after, limit) {
      const page = await findMovies(readModels, { where: order.where, only: ['card'], limit, ...amongOf(order), ...afterOf(after) })
      const { items, next } = await withOwn(readModels, order.userId, page)
      return { items: items.filter(({ own }) => !own?.[field]), next: next && { value: null, id: next.id }, looked: lookedFor(page, limit) }
    },
  }
}
