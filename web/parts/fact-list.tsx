/** FactList of something, each with its name. A fact without a text is left out. */
import { Link } from './link.tsx'

export interface Fact {
  readonly name: string
  readonly text: string
  /** Where the text leads. */
  readonly to?: string | undefined
  /** It is an id or a key, not a word. */
  readonly isCode?: boolean
}

export interface FactListProps {
  readonly facts: readonly Fact[]
  /** Class of the list. */
  readonly kind?: 'details' | 'admin-facts'
}

export function FactList({ facts, kind = 'details' }: FactListProps) {
  return (
    <dl class={kind}>
      {facts
        .filter(({ text }) => text !== '')
        .map(({ name, text, to, isCode = false }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{to === undefined ? isCode ? <code>{text}</code> : text : <Link to={to}>{text}</Link>}</dd>
          </div>
        ))}
    </dl>
  )
}
