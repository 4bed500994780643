/** What surrounds a plot: its heading, one sentence of what it shows, and the numbers as a table and as a file. */
import { Download, Table } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { save } from '../parts/save.ts'
import { Scroller } from '../parts/scroller.tsx'
import { say } from '../words/words.ts'
import { csvOf, type TableOf } from './csv.ts'

export interface FigureProps {
  readonly title: string
  /** One sentence of what it shows. */
  readonly sentence: string
  /** Time zone of its days and hours, if it has some. */
  readonly tz?: string
  readonly table: TableOf
  /** Name of the file, without its ending. */
  readonly file: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

export function Figure({ title, sentence, tz, table, file, isWide = false, children }: FigureProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <figure class={isWide ? 'plot wide' : 'plot'} aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p>{sentence}</p>
        {tz !== undefined && <p class="soft zone">{say('plot.zone', { zone: tz.replaceAll('_', ' ') })}</p>}
      </figcaption>
      {children}
      {table.rows.length > 0 && (
        <>
          <div class="plot-tools">
            <button type="button" class="quiet" aria-expanded={isOpen} aria-controls={`${id}-table`} onClick={() => setOpen(!isOpen)}>
              <Icon of={Table} size={16} />
              {say(isOpen ? 'plot.table.hide' : 'plot.table')}
            </button>
            <button type="button" class="quiet" onClick={() => save(`${file}.csv`, csvOf(table), 'text/csv')}>
              <Icon of={Download} size={16} />
              {say('plot.csv')}
            </button>
          </div>
          <div id={`${id}-table`} hidden={!isOpen}>
            {isOpen && <Numbers table={table} title={title} />}
          </div>
        </>
      )}
    </figure>
  )
}

export interface NumbersProps {
  readonly table: TableOf
  readonly title: string
}

export function Numbers({ table: { head, rows }, title }: NumbersProps) {
  return (
    <Scroller class="table" label={title}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.map(({ text, raw }) => raw ?? text).join(' ')}>
              {row.map(({ text, to }, column) => {
                const shown = to === undefined ? text : <Link to={to}>{text}</Link>
                return column === 0 ? (
                  <th key={head[column]} scope="row">
                    {shown}
                  </th>
                ) : (
                  <td key={head[column]}>{shown}</td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
