/** Imports of a household: Ann sees all films, the child only those of its library, and some films are missing. */
import type { ImportItem } from '../../../src/events/history-events.ts'
import type { ImportPage } from '../../../src/app/history/history-imports.ts'
import { byUser } from '../../../src/app/commands/command-handler.ts'
import { allowed, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

export const ITEM: ImportItem = {
  tmdb: null,
  imdb: null,
  title: null,
  year: null,
  watchedAt: '2020-03-01T20:00:00.000Z',
  plays: 1,
  watchedMs: 0,
  positionMs: null,
}
export const BRAZIL = { ...ITEM, title: 'Brazil', year: 1985 }
/** Missing. */
export const HEAT = { ...ITEM, title: 'Heat', year: 1995 }

export const minuteOf = (n: number): string => new Date(Date.UTC(2010, 0, 1, 0, n)).toISOString()
export const unknownFilms = (count: number, name = 'Missing'): readonly ImportItem[] =>
  Array.from({ length: count }, (_, n) => ({ ...ITEM, title: `${name} ${n}`.padEnd(60, '\u{1F3AC}'), year: 2000 }))

export async function take(node: NodeFixture, { caller }: Person, items: readonly ImportItem[], more: Partial<ImportPage> = {}) {
  const page = { source: 'trakt', importId: null, dryRun: false, items, ...more }
  return node.historyImports.take(caller, page, byUser(caller.userId, 'importHistory', ORIGIN))
}

export const undo = (node: NodeFixture, { caller }: Person, importId: string | null) =>
  node.historyImports.undo(caller.userId, importId ?? '', byUser(caller.userId, 'undoHistoryImport', ORIGIN))

export const importsOf = async (node: NodeFixture, { caller }: Person) =>
  (await node.historyImports.list(caller.userId, { limit: 10 })).items

export const ownOf = async (node: NodeFixture, { caller }: Person, { id }: { readonly id: string }) => {
  const { own } = allowed(await node.movies.get(caller, id))
  return {
    watched: own?.watched ?? false,
    watchedAt: own?.watchedAt ?? null,
    plays: own?.playCount ?? 0,
    left: own?.resume?.positionMs ?? null,
  }
}
