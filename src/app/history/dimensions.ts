/** Defines the dimensions that viewings are compared by, and the labels of their values. */
import type { ViewingDocument } from '../../../projections/views/viewings.ts'
import type { Filter, Sum } from '../../ports/read-store.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { SettledViewings } from './settled-viewings.ts'

export const DIMENSIONS = ['movie', 'user', 'client', 'library', 'method', 'resolution'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export const FIELDS: Readonly<Record<Dimension, keyof ViewingDocument>> = {
  movie: 'movieId',
  user: 'userId',
  client: 'clientKey',
  library: 'libraryId',
  method: 'method',
  resolution: 'resolution',
}

export interface DimensionDependencies {
  readonly readModels: Pick<ReadModels, 'movies' | 'viewings'>
  readonly settled: SettledViewings
  readonly sealer: Pick<Sealer, 'open'>
  /** Null if there never was such a user. */
  readonly nameOf: (userId: string) => Promise<string | null>
  readonly libraryName: (libraryId: string) => string | undefined
}

export type Value = string | null
export type ValueOf = (stored: Sum['keys'][number] | undefined) => Value

/**
 * Maps a stored value to the value it counts as. Clients are stored as digests, which differ between users; digests of one name count as
 * one client. Null: unknown, such as the client of an erased user.
 */
export async function valuesOf(deps: DimensionDependencies, by: Dimension, stored: readonly Value[]): Promise<ValueOf> {
  if (by !== 'client') return (value) => (typeof value === 'string' ? value : null)
  const keys = [...new Set(stored)].filter((key) => key !== null)
  const names = new Map(await Promise.all(keys.map(async (key) => [key, await clientName(deps, key)] as const)))
  return (value) => (typeof value === 'string' ? (names.get(value) ?? null) : null)
}

async function clientName({ readModels, sealer }: DimensionDependencies, key: string): Promise<string | null> {
  const viewing = await newest(readModels, { field: 'clientKey', op: 'eq', value: key })
  const json = viewing?.client && (await sealer.open(viewing.client))
  return json ? ((JSON.parse(json) as { readonly name?: string | null }).name ?? null) : null
}

/** Labels for people; null for a value without a name. */
export async function labelsOf(
  deps: DimensionDependencies,
  by: Dimension,
  values: readonly Value[],
): Promise<ReadonlyMap<Value, string | null>> {
  const known = values.filter((value) => value !== null)
  if (by === 'movie') return titles(deps, known)
  if (by === 'user') return new Map(await Promise.all(known.map(async (id) => [id, await deps.nameOf(id)] as const)))
  if (by === 'library') return new Map(known.map((id) => [id, deps.libraryName(id) ?? null]))
  return new Map(known.map((value) => [value, value]))
}

/** A deleted movie has the title it had when it was last watched. */
async function titles({ readModels }: DimensionDependencies, ids: readonly string[]): Promise<ReadonlyMap<Value, string | null>> {
  const there = new Map((await readModels.movies.getMany(ids)).map((movie) => [movie.id as string, movie.card.title]))
  return new Map(
    await Promise.all(
      ids.map(
        async (id) => [id, there.get(id) ?? (await newest(readModels, { field: 'movieId', op: 'eq', value: id }))?.title ?? null] as const,
      ),
    ),
  )
}

async function newest(readModels: Pick<ReadModels, 'viewings'>, where: Filter): Promise<ViewingDocument | undefined> {
  const visible: Filter = { field: 'hidden', op: 'eq', value: false }
  const { items } = await readModels.viewings.find({ where: [visible, where], sort: { field: 'startedAt', direction: 'desc' }, limit: 1 })
  return items[0]
}
