/** A list of up to 100,000 films by index: the pages around the window are asked for, the others are forgotten. */
import { useQueries, useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { anchorOf, isNear, pagesFor, pagesToDrop, PAGE_SIZE, REST_MS, type Span } from '../data/list-window.ts'
import { anchorsQuery, pageQuery, type Anchors, type ListQuery, type MovieCard } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'
import { remember, remembered } from '../router.ts'

export interface ListWindow {
  /** Of the list's query. */
  readonly key: string
  /** Undefined until the first answer. */
  readonly anchors: Anchors | undefined
  readonly error: unknown
  readonly retry: () => void
  /** The film at the index; undefined if its page is not there yet. */
  readonly movieAt: (index: number) => MovieCard | undefined
  /** Where a film is by now that was at this index; undefined if it is not near. */
  readonly find: (id: string, near: number) => Promise<number | undefined>
  /** Whether a film of the range will not come, because its page failed. */
  readonly lacks: (span: Span) => boolean
  /** Reports the visible range. */
  readonly show: (span: Span) => void
}

/** Under this name the entry of the history remembers what was shown, so that going back begins there. */
const MEMORY = 'list'

interface Remembered {
  readonly key: string
  readonly pages: readonly number[]
}

function firstPages(key: string): readonly number[] {
  const { key: of, pages } = Object(remembered(MEMORY)) as Partial<Remembered>
  return of === key && Array.isArray(pages) && pages.every(Number.isInteger) ? pages : [0]
}

const cursorOf = (anchors: Anchors | undefined, page: number): string | null | undefined =>
  page === 0 ? null : anchorOf(anchors?.items ?? [], page)?.cursor

const isHeld = (query: ListQuery, anchors: Anchors | undefined, page: number): boolean => {
  const cursor = cursorOf(anchors, page)
  return cursor !== undefined && queryClient.getQueryData(pageQuery(query, { page, cursor }).queryKey) !== undefined
}

export function useListWindow(query: ListQuery): ListWindow {
  const key = JSON.stringify(query)
  const { data: anchors, error, refetch } = useQuery(anchorsQuery(query))
  const [{ of, pages }, setPages] = useState(() => ({ of: key, pages: firstPages(key) }))
  const rest = useRef<ReturnType<typeof setTimeout>>()
  // At once, not after the first frame: the pages of another list are not asked of this one.
  if (of !== key) setPages({ of: key, pages: firstPages(key) })
  useEffect(() => () => clearTimeout(rest.current), [key])

  const results = useQueries({
    queries: pages.map((page) => {
      const cursor = cursorOf(anchors, page)
      return {
        ...pageQuery(query, { page, cursor: cursor ?? null }),
        enabled: cursor !== undefined,
        // Films of the page as it was, until its new ones are there.
        placeholderData: () => pageBefore(key, page),
      }
    }),
  })
  const byPage = new Map(
    pages.map((page, index) => [page, cursorOf(anchors, page) === undefined ? undefined : results[index]?.data?.items]),
  )

  return {
    key,
    anchors,
    error: error ?? results.find((result) => result.error)?.error,
    retry: () => void Promise.all([refetch(), ...results.map((result) => result.refetch())]),
    movieAt: (index) => byPage.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    async find(id, near) {
      const page = Math.floor(near / PAGE_SIZE)
      for (const one of [page, page - 1, page + 1]) {
        const cursor = cursorOf(anchors, one)
        if (cursor === undefined) continue
        const answer = await queryClient.fetchQuery(pageQuery(query, { page: one, cursor })).catch(() => undefined)
        const at = answer?.items.findIndex((movie) => movie.id === id) ?? -1
        if (at >= 0) return one * PAGE_SIZE + at
      }
      return undefined
    },
    lacks: ({ first, last }) =>
      pages.some(
        (page, index) =>
          results[index]?.isError === true && !byPage.get(page) && page * PAGE_SIZE <= last && (page + 1) * PAGE_SIZE > first,
      ),
    show(span) {
      const wanted = pagesFor(span, anchors?.total ?? 0)
      clearTimeout(rest.current)
      if (wanted.length === 0 || wanted.join() === pages.join()) return
      const take = (): void => {
        setPages({ of: key, pages: wanted })
        remember(MEMORY, { key, pages: wanted })
        forget(key, wanted)
      }
      if (isNear(wanted, pages) || wanted.every((page) => isHeld(query, anchors, page))) take()
      else rest.current = setTimeout(take, REST_MS)
    },
  }
}

type Page = Awaited<ReturnType<ReturnType<typeof pageQuery>['queryFn']>>

function pageBefore(key: string, page: number): Page | undefined {
  const kept = queryClient.getQueryCache().findAll({ queryKey: ['movies', key, page] })
  const [last] = kept
    .filter(({ state }) => state.data !== undefined)
    .sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  return last?.state.data as Page | undefined
}

/** Gives up the pages that are farthest from the window. */
function forget(key: string, shown: readonly number[]): void {
  const held = queryClient
    .getQueryCache()
    .findAll({ queryKey: ['movies', key] })
    .flatMap(({ queryKey }) => (typeof queryKey[2] === 'number' ? [queryKey[2]] : []))
  for (const page of pagesToDrop([...new Set(held)], shown)) queryClient.removeQueries({ queryKey: ['movies', key, page] })
}
