/** Entries of the audit: who did what to what, and what it was before. */
import { keepPreviousData, useQueries } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AuditEntry } from '../data/past-queries.ts'
import { cardsQuery, PAGE } from '../data/queries.ts'
import { moment } from '../words/format.ts'
import { nameInWords } from '../words/en-audit.ts'
import { say, sayKnown } from '../words/words.ts'
import { Changes } from './changes.tsx'
import { Link } from './link.tsx'
import { loginName } from './login-name.ts'

/** A type of a newer server is called as in the log. */
export const typeText = (type: string): string => sayKnown(`audit.type.${type}`, nameInWords(type))

export const actorText = ({ actor: { kind, name } }: AuditEntry): string => name ?? say(`audit.actor.${kind}`)

/** The address and the program that it came from. `nameOf`: what the program is called, given its user agent. */
export const originText = ({ actor: { ip, client } }: AuditEntry, nameOf = (userAgent: string): string => userAgent): string =>
  [ip, client === null ? null : nameOf(client)].filter((text) => text !== null).join(' · ')

export interface AuditRowsProps {
  readonly entries: readonly AuditEntry[]
  /** For administrators, who can see its proof and look for more of the same. */
  readonly isAll: boolean
}

export function AuditRows({ entries, isAll }: AuditRowsProps) {
  const titles = useTitles(entries)
  return (
    <ul class="audit">
      {entries.map((entry) => (
        <Row key={entry.seq} entry={entry} isAll={isAll} title={titles.get(entry.target.id ?? '')} />
      ))}
    </ul>
  )
}

/** Of the films that the entries are about, as far as they are still there; one request for a hundred. */
function useTitles(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  const ids = [...new Set(entries.flatMap(({ target: { kind, id } }) => (kind === 'movie' && id !== null ? [id] : [])))]
  const answers = useQueries({
    queries: Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, n) => ({
      ...cardsQuery(ids.slice(n * PAGE, (n + 1) * PAGE)),
      placeholderData: keepPreviousData,
    })),
  })
  return new Map(answers.flatMap(({ data }) => data?.items ?? []).map(({ id, title }) => [id, title]))
}

interface RowProps {
  readonly entry: AuditEntry
  readonly isAll: boolean
  /** Of the film that it is about. */
  readonly title: string | undefined
}

function Row({ entry, isAll, title }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const { seq, type, at, actor, target, changes } = entry
  const origin = originText(entry, loginName)
  const about = title ?? (isAll ? say(`audit.target.${target.kind}`) : undefined)
  return (
    <li class="audit-row">
      <div class="audit-head">
        <p>
          <strong>
            {isAll ? (
              <Link to={`/admin/audit/${seq}`} data-focus={`audit ${seq}`}>
                {typeText(type)}
              </Link>
            ) : (
              typeText(type)
            )}
          </strong>
          <span class="soft"> {isAll && `#${seq}`}</span>
        </p>
        <p class="soft">
          {moment(at)}
          {' · '}
          {isAll && actor.id !== null ? <Link to={`/admin/audit?actorId=${actor.id}`}>{actorText(entry)}</Link> : actorText(entry)}
          {target.id !== null && about !== undefined && (
            <>
              {' → '}
              {isAll ? <Link to={`/admin/audit?targetId=${target.id}`}>{about}</Link> : about}
            </>
          )}
        </p>
        {origin !== '' && (
          <p class="soft origin" title={actor.client ?? undefined}>
            {origin}
          </p>
        )}
      </div>
      {changes.length > 0 && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {say('audit.changes-of', { count: changes.length })}
        </button>
      )}
      {isOpen && <Changes changes={changes} />}
    </li>
  )
}
