/** The cells of a long list, each drawn once for what it shows. */
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { MovieCard } from '../data/queries.ts'
import { Card } from './card.tsx'
import type { ListWindow } from './use-list-window.ts'

const MOST_CELLS = 500

interface Cell {
  readonly movie: MovieCard | undefined
  readonly isFirst: boolean
  readonly total: number
  readonly element: VNode
}

/** What is drawn at an index. The same element as before if nothing has changed: then it is not even compared, so that scrolling is cheap. */
export function useCells(list: ListWindow, total: number): (index: number, isFirst: boolean) => VNode {
  const cells = useRef(new Map<number, Cell>()).current
  return (index, isFirst) => {
    const movie = list.movieAt(index)
    const kept = cells.get(index)
    if (kept && kept.movie === movie && kept.isFirst === isFirst && kept.total === total) return kept.element
    if (cells.size > MOST_CELLS) cells.clear()
    const element = movie ? (
      <div key={movie.id} data-index={index}>
        <Card movie={movie} place="movies" isFirst={isFirst} at={{ index, total }} />
      </div>
    ) : (
      <div key={index} data-index={index} class="card">
        <span class="poster" />
      </div>
    )
    cells.set(index, { movie, isFirst, total, element })
    return element
  }
}
