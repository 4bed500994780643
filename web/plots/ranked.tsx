/** A list whose bars are its rows: the most first. */
import { Link } from '../parts/link.tsx'

export interface RankedItem {
  readonly name: string
  readonly value: number
  readonly text: string
  /** Where the rows are that it counts; without it the list alone shows it. */
  readonly to?: string
}

export function Ranked({ items }: { readonly items: readonly RankedItem[] }) {
  const most = Math.max(1, ...items.map(({ value }) => value))
  return (
    <ol class="ranked">
      {items.map(({ name, value, text, to }) => {
        const row = (
          <>
            <span class="ranked-name">{name}</span>
            <span class="ranked-value">{text}</span>
            <span class="ranked-bar" aria-hidden="true">
              <i style={{ inlineSize: `${(value / most) * 100}%` }} />
            </span>
          </>
        )
        return (
          <li key={to ?? name}>
            {to === undefined ? (
              <span class="ranked-row">{row}</span>
            ) : (
              <Link to={to} class="ranked-row">
                {row}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}
