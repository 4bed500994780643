/** What changed: each value before and after. */
import { say } from '../words/words.ts'
import { Scroller } from './scroller.tsx'

export interface Change {
  readonly path: string
  readonly from?: unknown
  readonly to?: unknown
}

const hasValue = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/** A value as people read it; structures as JSON. */
function valueText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}

export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <Scroller class="table" label={say('audit.changes')}>
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">{say('audit.what')}</th>
            <th scope="col">{say('audit.before')}</th>
            <th scope="col">{say('audit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, from, to }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td>{hasValue(from) ? <del>{valueText(from)}</del> : '–'}</td>
              <td>{hasValue(to) ? <ins>{valueText(to)}</ins> : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
