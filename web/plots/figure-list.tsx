/** Single figures, each with its name. */
import type { ComponentChildren } from 'preact'

export interface FigureListProps {
  readonly figures: readonly { readonly name: string; readonly value: ComponentChildren; readonly note?: string }[]
  /** The values are words, which need more room. */
  readonly isWords?: boolean
}

export const FigureList = ({ figures, isWords = false }: FigureListProps) => (
  <dl class={isWords ? 'figure-list words' : 'figure-list'}>
    {figures.map(({ name, value, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
        {note !== undefined && <dd class="soft">{note}</dd>}
      </div>
    ))}
  </dl>
)
