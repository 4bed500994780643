/** The receipt of an erasure: what proves, without this server, that the key of a person's data was destroyed. */
import { useQuery } from '@tanstack/preact-query'
import { Download, ShieldCheck } from 'lucide-preact'
import { receiptPath, receiptQuery, type Receipt } from '../data/admin-users.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { AdminHead } from './admin-head.tsx'
import { Icon } from './icon.tsx'
import { Failed, Waiting } from './states.tsx'

export function EraseReceipt({ erasure }: { readonly erasure: string }) {
  const { data, error, refetch } = useQuery(receiptQuery(erasure))
  return (
    <>
      <AdminHead title={say('receipt.title')} isName>
        {data && (
          <a class="button primary" href={receiptPath(erasure)} download={`marquee-erasure-${erasure}.json`}>
            <Icon of={Download} size={18} />
            {say('receipt.download')}
          </a>
        )}
      </AdminHead>
      {data ? <Shown receipt={data} /> : error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />}
    </>
  )
}

function Shown({ receipt }: { readonly receipt: Receipt }) {
  const { subject, keyId, erasedAt, seq, checkpoint, entry, hashes } = receipt
  return (
    <div class="receipt">
      <p class="receipt-lead">
        <Icon of={ShieldCheck} size={28} />
        <span>{say('receipt.hint')}</span>
      </p>
      <dl class="admin-facts">
        <Fact name={say('receipt.at')} value={moment(erasedAt)} />
        <Fact name={say('receipt.subject')} value={subject} isCode />
        <Fact name={say('receipt.key')} value={keyId} isCode />
        <Fact name={say('receipt.seq')} value={String(seq)} isCode />
      </dl>
      <h2>{say('receipt.checkpoint')}</h2>
      <pre>{checkpoint}</pre>
      <h2>{say('receipt.entry')}</h2>
      <pre>{entry}</pre>
      <h2>{say('receipt.hashes')}</h2>
      <pre>{hashes.join('\n')}</pre>
    </div>
  )
}

const Fact = ({ name, value, isCode = false }: { readonly name: string; readonly value: string; readonly isCode?: boolean }) => (
  <div>
    <dt>{name}</dt>
    <dd>{isCode ? <code>{value}</code> : value}</dd>
  </div>
)
