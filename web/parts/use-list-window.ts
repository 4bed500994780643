/** A list of up to 100,000 films by index: the pages around the window are asked for, the others are forgotten. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { anchorOf, isNear, pagesFor, pagesToDrop, PAGE_SIZE, REST_MS, type Span } from '../data/list-window.ts'
import { anchorsQuery, pageQuery, type Anchors, type ListQuery, type MovieCard } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'

export interface ListWindow {
  /** Undefined until the first answer. */
  readonly anchors: Anchors | undefined
  readonly error: unknown
  readonly retry: () => void
  /** The film at the index; undefined if its page is not there yet. */
  readonly movieAt: (index: number) => MovieCard | undefined
  /** Tells what is shown. */
  readonly show: (span: Span) => void
}

export function useListWindow(query: ListQuery): ListWindow {
  const key = JSON.stringify(query)
  const { data: anchors, error, refetch } = useQuery(anchorsQuery(query))
  const [pages, setPages] = useState<readonly number[]>([0])
  const rest = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => setPages([0]), [key])
  useEffect(() => () => clearTimeout(rest.current), [])

  const results = useQueries({
    queries: pages.map((page) => ({
      ...pageQuery(query, { page, cursor: page === 0 ? null : (anchorOf(anchors?.items ?? [], page)?.cursor ?? null) }),
      enabled: page === 0 || anchorOf(anchors?.items ?? [], page) !== undefined,
      placeholderData: keepPreviousData,
    })),
  })
  const byPage = new Map(
    pages.map((page, index) => [page, results[index]?.isPlaceholderData === true ? undefined : results[index]?.data?.items]),
  )

  return {
    anchors,
    error: error ?? results.find((result) => result.error)?.error,
    retry: () => void Promise.all([refetch(), ...results.map((result) => result.refetch())]),
    movieAt: (index) => byPage.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    show(span) {
      const wanted = pagesFor(span, anchors?.total ?? 0)
      if (wanted.length === 0 || wanted.join() === pages.join()) return
      clearTimeout(rest.current)
      const take = (): void => {
        setPages(wanted)
        forget(key, wanted)
      }
      if (isNear(wanted, pages)) take()
      else rest.current = setTimeout(take, REST_MS)
    },
  }
}

/** Gives up the pages that are farthest from the window. */
function forget(key: string, shown: readonly number[]): void {
  const held = queryClient
    .getQueryCache()
    .findAll({ queryKey: ['films', key] })
    .flatMap(({ queryKey }) => (typeof queryKey[2] === 'number' ? [queryKey[2]] : []))
  for (const page of pagesToDrop(held, shown)) queryClient.removeQueries({ queryKey: ['films', key, page], exact: true })
}
