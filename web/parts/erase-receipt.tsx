/** The receipt of an erasure: what proves, without this server, that the key of a person's data was destroyed. */
import { useQuery } from '@tanstack/preact-query'
import { Download, ShieldCheck } from 'lucide'
import { receiptPath, receiptQuery, type Receipt } from '../data/admin-users.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { AdminHead } from './admin-head.tsx'
import { FactList } from './fact-list.tsx'
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
      <FactList
        kind="admin-facts"
        facts={[
          { name: say('receipt.at'), text: moment(erasedAt) },
          { name: say('receipt.subject'), text: subject, isCode: true },
          { name: say('receipt.key'), text: keyId, isCode: true },
          { name: say('receipt.seq'), text: String(seq), isCode: true },
        ]}
      />
      <h2>{say('receipt.checkpoint')}</h2>
      <pre>{checkpoint}</pre>
      <h2>{say('receipt.entry')}</h2>
      <pre>{entry}</pre>
      <h2>{say('receipt.hashes')}</h2>
      <pre>{hashes.join('\n')}</pre>
    </div>
  )
}
