/** One entry of the audit with its proof, which this browser computes by itself. */
import { useQuery } from '@tanstack/preact-query'
import { BadgeCheck, Download, ShieldAlert } from 'lucide'
import type { AuditEntry } from '../../data/past-queries.ts'
import { fingerprintOf, hexOf, verdictOf, type Checkpoint, type Proof } from '../../data/proof.ts'
import { auditEntryQuery } from '../../data/proof-queries.ts'
import type { PageProps } from '../../pages.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { actorText, originText, typeText } from '../../parts/audit-rows.tsx'
import { Changes } from '../../parts/changes.tsx'
import { FactList } from '../../parts/fact-list.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { save } from '../../parts/save.ts'
import { Scroller } from '../../parts/scroller.tsx'
import { Failed, NotFound, Waiting } from '../../parts/states.tsx'
import { moment } from '../../words/format.ts'
import { say } from '../../words/words.ts'
import '../../words/en-audit.ts'

export function Page({ params: { seq: text = '' } }: PageProps) {
  const seq = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  return seq === 0 ? <NotFound /> : <Entry seq={seq} />
}

function Entry({ seq }: { readonly seq: number }) {
  const { data, error, refetch } = useQuery(auditEntryQuery(seq))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
  const { stored, row } = data
  const text = new TextDecoder().decode(stored)
  return (
    <div class="past">
      <AdminHead title={say('audit.entry', { seq, type: row ? typeText(row.type) : '' })} isName />
      {row && <Row entry={row} />}
      <Proved {...data} seq={seq} />
      <section>
        <h2>{say('proof.stored')}</h2>
        <p class="soft">{say('proof.stored.hint')}</p>
        <Scroller class="stored" label={say('proof.stored')}>
          <pre>{pretty(text)}</pre>
        </Scroller>
      </section>
      <nav class="actions" aria-label={say('audit.neighbours')}>
        {seq > 1 && (
          <Link to={`/admin/audit/${seq - 1}`} class="button">
            #{seq - 1}
          </Link>
        )}
        <Link to={`/admin/audit/${seq + 1}`} class="button">
          #{seq + 1}
        </Link>
        <Link to="/admin/audit" class="button">
          {say('page.admin-audit')}
        </Link>
      </nav>
    </div>
  )
}

const pretty = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)

function Row({ entry }: { readonly entry: AuditEntry }) {
  const { at, actor, target, requestId, changes } = entry
  const facts = [
    { name: say('strip.at'), text: moment(at) },
    { name: say('audit.actor'), text: actorText(entry), to: actor.id === null ? undefined : `/admin/audit?actorId=${actor.id}` },
    { name: say('audit.origin'), text: originText(entry) },
    {
      name: say('audit.targetId'),
      text: say(`audit.target.${target.kind}`),
      to: target.id === null ? undefined : `/admin/audit?targetId=${target.id}`,
    },
    { name: say('audit.requestId'), text: requestId ?? '', to: requestId === null ? undefined : `/admin/audit?requestId=${requestId}` },
  ]
  return (
    <>
      <FactList facts={facts} />
      <Changes changes={changes} />
    </>
  )
}

interface ProvedProps {
  readonly seq: number
  readonly stored: Uint8Array
  readonly proof: Proof & { readonly leafHash: string }
  readonly checkpoint: Checkpoint
  readonly verifier: string
  readonly row: AuditEntry | undefined
}

function Proved({ seq, stored, proof, checkpoint, verifier, row }: ProvedProps) {
  const { leaf, root, leafFits, rootFits } = verdictOf(stored, row?.leafHash ?? proof.leafHash, proof, checkpoint)
  const isProved = leafFits && rootFits && proof.seq === seq
  const lines = [
    { name: say('proof.leaf'), text: hexOf(leaf), holds: leafFits },
    { name: say('proof.computed-root'), text: root === undefined ? '–' : hexOf(root), holds: rootFits },
    { name: say('proof.root', { size: checkpoint.size }), text: hexOf(checkpoint.root), holds: undefined },
  ]
  return (
    <section class="proof">
      <h2>{say('proof.title')}</h2>
      <p class={isProved ? 'verdict holds' : 'verdict fails'} data-proved={isProved}>
        <Icon of={isProved ? BadgeCheck : ShieldAlert} />
        {say(isProved ? 'proof.holds' : 'proof.fails')}
      </p>
      <p class="soft">{say('proof.hint', { steps: proof.hashes.length, size: checkpoint.size })}</p>
      <dl class="hashes">
        {lines.map(({ name, text, holds }) => (
          <div key={name}>
            <dt>
              {name}
              {holds === false && <span class="wrong"> {say('proof.differs')}</span>}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>{say('proof.fingerprint', { name: checkpoint.origin })}</dt>
          <dd>{fingerprintOf(verifier) ?? '–'}</dd>
        </div>
      </dl>
      <p class="soft">{say('proof.signature')}</p>
      <p>
        <button type="button" onClick={() => save(`checkpoint-${checkpoint.size}.txt`, checkpoint.note, 'text/plain')}>
          <Icon of={Download} size={18} />
          {say('proof.checkpoint')}
        </button>
      </p>
    </section>
  )
}
