/**
 * The grid of a long list: rows of equal height, of which only those in the window and two on each side exist. Arrow keys move between
 * films, letters along the side lead to where they begin.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { indexByKey, labelAt } from '../data/list-window.ts'
import type { ListQuery } from '../data/queries.ts'
import { say } from '../words/words.ts'
import { Failed, reasonOf, Waiting } from './states.tsx'
import { markTitles } from './titles-mark.ts'
import { useCells } from './movie-cells.tsx'
import { useHeldMovie } from './use-held-movie.ts'
import { useListWindow, type ListWindow } from './use-list-window.ts'
import { usePacedRows } from './use-paced-rows.ts'
import { useWindowRows } from './use-window-rows.ts'

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

/** Two thirds of a poster's height is its width; cards grow with the person's own size of letters (`zoom`, usually 1). Pure. */
export function layoutFor(widthPx: number, zoom = 1): Layout {
  const wished = Math.floor((widthPx + GAP_PX) / (WISHED_CARD_PX * zoom + GAP_PX))
  const most = Math.max(1, Math.floor((widthPx + GAP_PX) / (LEAST_CARD_PX + GAP_PX)))
  const columns = Math.max(1, Math.min(most, Math.max(wished, NARROW_COLUMNS)))
  const cardPx = (widthPx - GAP_PX * (columns - 1)) / columns
  return { columns, rowPx: Math.ceil(cardPx * 1.5 + TEXT_PX * zoom) + ROW_GAP_PX }
}

export interface MovieGridProps {
  readonly query: ListQuery
  /** In place of an empty list. */
  readonly nothing: ComponentChildren
}

export function MovieGrid({ query, nothing }: MovieGridProps) {
  const list = useListWindow(query)
  const { anchors, error, retry } = list
  if (anchors === undefined) return error ? <Failed cause={error} onRetry={retry} /> : <Waiting />
  if (anchors.total === 0) return <>{nothing}</>
  return (
    <>
      <p class="soft count" role="status">
        {say('movies.count', { count: anchors.total })}
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
  const { columns, rowPx, isMeasured } = useLayout(box)
  const rows = Math.ceil(total / columns)
  const { shown, seenRow, isInWindow, scrollTo, view } = useWindowRows({ box, rows, rowPx })
  const cellsOf = usePacedRows({ shown, isSeen: isInWindow, columns })
  const first = (shown[0] ?? 0) * columns
  const last = Math.min(total - 1, ((shown.at(-1) ?? 0) + 1) * columns - 1)
  // Before the frame: what is kept is shown in it.
  useLayoutEffect(() => (isMeasured ? list.show({ first, last }) : undefined))
  useHeldMovie({
    list,
    columns,
    total,
    view,
    isMeasured,
    focused: () => (box.current?.contains(document.activeElement) ? indexOf(document.activeElement) : undefined),
    focus: (id) => holdFocus(box.current, `[data-focus="movies ${id}"]`),
  })
  const hasTitles = list.movieAt(first) !== undefined
  useLayoutEffect(() => (hasTitles ? markTitles() : undefined), [hasTitles])
  const cellAt = useCells(list, total)
  // At the beginning it is the first letter, however few films it has.
  const seen = seenRow === 0 ? 0 : Math.min(total - 1, seenRow * columns + columns - 1)
  const goTo = (index: number, focuses: boolean): void => {
    scrollTo(Math.floor(index / columns), focuses ? 'nearest' : 'start')
    if (focuses) focusSoon(box.current, index)
  }

  return (
    <div class={letters.length > 1 ? 'long-list lettered' : 'long-list'}>
      <div
        ref={box}
        class="rows"
        style={{ blockSize: `${rows * rowPx}px` }}
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
        {shown.map((row) => (
          <div
            class="row"
            key={row}
            style={{
              transform: `translateY(${row * rowPx}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {Array.from({ length: Math.min(cellsOf(row), total - row * columns) }, (_, column) => {
              const index = row * columns + column
              return cellAt(index, row < FIRST_ROWS)
            })}
          </div>
        ))}
      </div>
      {letters.length > 1 && <Letters letters={letters} seen={seen} onChoose={(index) => goTo(index, false)} />}
      {list.lacks({ first, last }) && (
        <div class="toasts lacking" role="alert">
          <div class="toast">
            <span>{reasonOf(list.error)}</span>
            <button type="button" class="quiet" onClick={list.retry}>
              {say('app.retry')}
            </button>
          </div>
        </div>
      )}
      {letters.length <= 1 && <Bubble label={labelAt(items, seen)} />}
    </div>
  )
}

const FIRST_ROWS = 2

interface LettersProps {
  readonly letters: GridProps['anchors']['letters']
  /** Index of the last film of the first row that is seen. */
  readonly seen: number
  readonly onChoose: (index: number) => void
}

function Letters({ letters, seen, onChoose }: LettersProps) {
  const choose = useRef(onChoose)
  choose.current = onChoose
  // The one that was just gone to, also if its row begins before it.
  const next = letters.findIndex(({ index }) => index > seen)
  const current = letters[(next === -1 ? letters.length : next) - 1]?.label
  // The same elements while one scrolls within a letter: they are not compared then.
  return useMemo(
    () => (
      <nav class="letters" aria-label={say('movies.letters')}>
        {letters.map(({ label, index }) => (
          <button type="button" key={label} onClick={() => choose.current(index)} aria-current={label === current ? 'true' : undefined}>
            {label}
          </button>
        ))}
      </nav>
    ),
    [letters, current],
  )
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

/** A card that is drawn in another row is another element: it gets the focus back when the one before it is gone. */
function holdFocus(box: HTMLElement | null, selector: string, tries = FOCUS_TRIES): void {
  if (document.activeElement === document.body) box?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  if (tries > 0) requestAnimationFrame(() => holdFocus(box, selector, tries - 1))
}

interface MeasuredLayout extends Layout {
  /** False in the first frame of the first grid, where it is a guess. */
  readonly isMeasured: boolean
}

/** As it was measured last, for the first frame of the next grid. */
let lastLayout: MeasuredLayout | undefined

function useLayout(box: { readonly current: HTMLDivElement | null }): MeasuredLayout {
  const [layout, setLayout] = useState<MeasuredLayout>(() => lastLayout ?? { ...layoutFor(innerWidth - 80, textZoom()), isMeasured: false })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = (): void => {
      const next = { ...layoutFor(element.clientWidth, textZoom()), isMeasured: true }
      lastLayout = lastLayout && isSame(lastLayout, next) ? lastLayout : next
      setLayout(lastLayout)
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

const isSame = (old: Layout, next: Layout): boolean => old.columns === next.columns && old.rowPx === next.rowPx
