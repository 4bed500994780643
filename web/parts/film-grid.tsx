/**
 * The grid of a long list: rows of equal height, of which only those in the window and two on each side exist. Arrow keys move between
 * films, letters along the side lead to where they begin.
 */
import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import { indexByKey, labelAt } from '../data/list-window.ts'
import type { ListQuery, MovieCard } from '../data/queries.ts'
import { remembered } from '../router.ts'
import { say } from '../words/words.ts'
import { Card } from './card.tsx'
import { Failed, Waiting } from './states.tsx'
import { markTitles } from './titles-mark.ts'
import { useListWindow, type ListWindow } from './use-list-window.ts'

/** Of the text below a poster, and the space between rows. */
const TEXT_PX = 56
const GAP_PX = 14
const ROW_GAP_PX = 24
const LEAST_CARD_PX = 92
const WISHED_CARD_PX = 164
const NARROW_COLUMNS = 3

interface Layout {
  readonly columns: number
  readonly rowPx: number
}

/** Two thirds of a poster's height is its width; text grows with the person's own size of letters (`zoom`, usually 1). Pure. */
export function layoutFor(widthPx: number, zoom = 1): Layout {
  const wished = Math.floor((widthPx + GAP_PX) / (WISHED_CARD_PX + GAP_PX))
  const most = Math.max(1, Math.floor((widthPx + GAP_PX) / (LEAST_CARD_PX + GAP_PX)))
  const columns = Math.max(1, Math.min(most, Math.max(wished, NARROW_COLUMNS)))
  const cardPx = (widthPx - GAP_PX * (columns - 1)) / columns
  return { columns, rowPx: Math.ceil(cardPx * 1.5 + TEXT_PX * zoom) + ROW_GAP_PX }
}

export interface FilmGridProps {
  readonly query: ListQuery
  /** In place of an empty list. */
  readonly nothing: ComponentChildren
}

export function FilmGrid({ query, nothing }: FilmGridProps) {
  const list = useListWindow(query)
  const { anchors, error, retry } = list
  if (anchors === undefined) return error ? <Failed cause={error} onRetry={retry} /> : <Waiting />
  if (anchors.total === 0) return <>{nothing}</>
  return (
    <>
      <p class="soft count" role="status">
        {say('films.count', { count: anchors.total })}
      </p>
      <Grid list={list} anchors={anchors} key={JSON.stringify(query)} />
    </>
  )
}

interface GridProps {
  readonly list: ListWindow
  readonly anchors: NonNullable<ListWindow['anchors']>
}

function Grid({ list, anchors }: GridProps) {
  const { total, items, letters } = anchors
  const box = useRef<HTMLDivElement>(null)
  const { columns, rowPx } = useLayout(box)
  const rows = Math.ceil(total / columns)
  const virtual = useWindowRows({ box, rows, rowPx })
  const shown = virtual.getVirtualItems()
  const first = (shown[0]?.index ?? 0) * columns
  const last = Math.min(total - 1, ((shown.at(-1)?.index ?? 0) + 1) * columns - 1)
  // Before the frame: what is kept is shown in it.
  useLayoutEffect(() => list.show({ first, last }))
  const hasTitles = list.movieAt(first) !== undefined
  useLayoutEffect(() => (hasTitles ? markTitles() : undefined), [hasTitles])
  const cellAt = useCells(list, total)
  const goTo = (index: number, focuses: boolean): void => {
    virtual.scrollToIndex(Math.floor(index / columns), { align: focuses ? 'auto' : 'start' })
    if (focuses) focusSoon(box.current, index)
  }

  return (
    <div class={letters.length > 1 ? 'long-list lettered' : 'long-list'}>
      <div
        ref={box}
        class="rows"
        style={{ blockSize: `${virtual.getTotalSize()}px` }}
        onKeyDown={(event) => {
          const index = indexOf(event.target)
          if (index === undefined || event.ctrlKey || event.metaKey || event.altKey) return
          const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
          const next = indexByKey(event.key, { index, columns, total, isRightToLeft })
          if (next === undefined) return
          event.preventDefault()
          goTo(next, true)
        }}
      >
        {shown.map(({ index: row, start }) => (
          <div
            class="row"
            key={row}
            style={{
              transform: `translateY(${start - virtual.options.scrollMargin}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {Array.from({ length: Math.min(columns, total - row * columns) }, (_, column) => {
              const index = row * columns + column
              return cellAt(index, row < FIRST_ROWS)
            })}
          </div>
        ))}
      </div>
      {letters.length > 1 && (
        <nav class="letters" aria-label={say('films.letters')}>
          {letters.map(({ label, index }) => (
            <button
              type="button"
              key={label}
              onClick={() => goTo(index, false)}
              aria-current={isLetter(letters, { index, first }) ? 'true' : undefined}
            >
              {label}
            </button>
          ))}
        </nav>
      )}
      {letters.length <= 1 && <Bubble label={labelAt(items, first)} />}
    </div>
  )
}

const FIRST_ROWS = 2
const MOST_CELLS = 500

interface Cell {
  readonly movie: MovieCard | undefined
  readonly isFirst: boolean
  readonly total: number
  readonly element: VNode
}

/** What is drawn at an index. The same element as before if nothing has changed: then it is not even compared, so that scrolling is cheap. */
function useCells(list: ListWindow, total: number): (index: number, isFirst: boolean) => VNode {
  const cells = useRef(new Map<number, Cell>()).current
  return (index, isFirst) => {
    const movie = list.movieAt(index)
    const kept = cells.get(index)
    if (kept && kept.movie === movie && kept.isFirst === isFirst && kept.total === total) return kept.element
    if (cells.size > MOST_CELLS) cells.clear()
    const element = movie ? (
      <div key={movie.id} data-index={index}>
        <Card movie={movie} place="films" isFirst={isFirst} at={{ index, total }} />
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

/** The letter within whose films the window begins. */
function isLetter(
  letters: readonly { readonly index: number }[],
  { index, first }: { readonly index: number; readonly first: number },
): boolean {
  const next = letters.find((letter) => letter.index > index)
  return first >= index && (next === undefined || first < next.index)
}

const BUBBLE_MS = 900

/** Where one is, while the list moves. */
function Bubble({ label }: { readonly label: string | null }) {
  const [isShown, setShown] = useState(false)
  const before = useRef(label)
  useEffect(() => {
    if (before.current === label) return undefined
    before.current = label
    setShown(true)
    const timer = setTimeout(() => setShown(false), BUBBLE_MS)
    return () => clearTimeout(timer)
  }, [label])
  return isShown && label !== null ? (
    <div class="bubble" aria-hidden="true">
      {label}
    </div>
  ) : null
}

const indexOf = (target: EventTarget | null): number | undefined => {
  const text =
    target instanceof HTMLElement && target.tagName === 'A' ? target.closest<HTMLElement>('[data-index]')?.dataset['index'] : undefined
  return text === undefined ? undefined : Number(text)
}

const FOCUS_TRIES = 60

/** The card exists once its row is drawn, and has a link once its page is there. */
function focusSoon(box: HTMLElement | null, index: number, tries = FOCUS_TRIES): void {
  const link = box?.querySelector<HTMLElement>(`[data-index="${index}"] a`)
  if (link) link.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusSoon(box, index, tries - 1))
}

/** Of the list that was shown before: the next one is drawn right at once. */
let lastWidthPx: number | undefined

function useLayout(box: { readonly current: HTMLElement | null }): Layout {
  const [layout, setLayout] = useState<Layout>(() => layoutFor(lastWidthPx ?? innerWidth - 80, textZoom()))
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = (): void => {
      lastWidthPx = element.clientWidth
      setLayout((old) => same(old, layoutFor(element.clientWidth, textZoom())))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return layout
}

const USUAL_PX = 16
/** The root's letters against the usual ones. */
const textZoom = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX

const same = (old: Layout, next: Layout): Layout => (old.columns === next.columns && old.rowPx === next.rowPx ? old : next)

const OVERSCAN_ROWS = 2

interface RowsOptions {
  readonly box: { readonly current: HTMLElement | null }
  readonly rows: number
  readonly rowPx: number
}

/** The library's virtualizer, drawn again when it says so. */
function useWindowRows({ box, rows, rowPx }: RowsOptions): Virtualizer<Window, Element> {
  const [drawn, draw] = useReducer<number, undefined>((n) => n + 1, 0)
  const options = {
    count: rows,
    estimateSize: () => rowPx,
    // Rows out of sight can wait for the second time.
    overscan: drawn === 0 ? 0 : OVERSCAN_ROWS,
    scrollMargin: box.current === null ? 0 : box.current.getBoundingClientRect().top + scrollY,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialRect: { width: innerWidth, height: innerHeight },
    // Where the entry is about to be scrolled to: its rows are in the first frame.
    initialOffset: () => Number(remembered('scroll') ?? 0),
    onChange: () => draw(undefined),
  }
  const [virtual] = useState(() => new Virtualizer<Window, Element>(options))
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => virtual._willUpdate())
  useLayoutEffect(() => virtual.measure(), [virtual, rowPx])
  useEffect(() => draw(undefined), [])
  return virtual
}
