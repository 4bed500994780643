/** Entries of the audit: who did what to what, and what it was before. */
import { useState } from 'preact/hooks'
import type { AuditEntry } from '../data/past-queries.ts'
import { moment } from '../words/format.ts'
import { say, sayKnown } from '../words/words.ts'
import { Changes } from './changes.tsx'
import { Link } from './link.tsx'
import '../words/en-audit.ts'

/** In words, if there are some for it: the others are called as in the log. */
export const typeText = (type: string): string => sayKnown(`audit.type.${type}`, type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '))

export const actorText = ({ actor: { kind, name } }: AuditEntry): string => name ?? say(`audit.actor.${kind}`)

/** The address and the program that it came from. */
export const originText = ({ actor: { ip, client } }: AuditEntry): string => [ip, client].filter((text) => text !== null).join(' · ')

export interface AuditRowsProps {
  readonly entries: readonly AuditEntry[]
  /** For administrators, who can see its proof and look for more of the same. */
  readonly isAll: boolean
}

export function AuditRows({ entries, isAll }: AuditRowsProps) {
  return (
    <ul class="audit">
      {entries.map((entry) => (
        <Row key={entry.seq} entry={entry} isAll={isAll} />
      ))}
    </ul>
  )
}

function Row({ entry, isAll }: { readonly entry: AuditEntry; readonly isAll: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { seq, type, at, actor, target, changes } = entry
  const origin = originText(entry)
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
          {isAll && target.id !== null && (
            <>
              {' → '}
              <Link to={`/admin/audit?targetId=${target.id}`}>{say(`audit.target.${target.kind}`)}</Link>
            </>
          )}
        </p>
        {origin !== '' && <p class="soft origin">{origin}</p>}
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
