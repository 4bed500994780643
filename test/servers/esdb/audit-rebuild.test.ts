/** The audit over EventStoreDB, whose positions have gaps: rows and tree are the same after any rebuild. */
import t from 'tap'
import { audit, type AuditDocument } from '../../../projections/views/audit.ts'
import type { AuditRow } from '../../../projections/views/audit-row.ts'
import { encode } from '../../../src/events/codec.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { logEntry } from '../../../src/events/log-entry.ts'
import { leafHash } from '../../../src/events/merkle-tree.ts'
import { START } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { rootByDefinition } from '../../events/merkle-root.ts'
import { iso, NOON } from '../../fixtures/given.ts'
import { appendTo } from '../../fixtures/ledger.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom } from '../../fixtures/random.ts'
import { withServer } from './esdb.ts'

const EVENTS = 600

async function fill(log: EventLog): Promise<void> {
  const random = createRandom(29)
  const ends = new Map<string, { readonly revision: number; readonly hash: string }>()
  for (let n = 0; n < EVENTS; n++) {
    const stream = `library-${named(`library${random.below(7)}`)}`
    const { revision, hash } = ends.get(stream) ?? { revision: -1, hash: '' }
    const event = { type: 'LibraryRenamed', data: { libraryId: named<'library'>('films'), name: `name ${n}` } } as const
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    const encoded = encode(id, event, { at: iso(NOON + n), actor: 'system' }, { stream, revision: revision + 1, prev: hash })
    await log.append(stream, revision === -1 ? 'absent' : revision, [encoded])
    ends.set(stream, { revision: revision + 1, hash: encoded.metadata.hash })
  }
}

async function read(log: EventLog): Promise<readonly StoredEvent[]> {
  const head = await log.head()
  const events: StoredEvent[] = []
  for await (const batch of log.follow(START, new AbortController().signal)) {
    events.push(...batch)
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  return events
}

async function built(events: readonly StoredEvent[], batches: readonly number[]) {
  const documents = new Map<string, AuditDocument>()
  await appendTo(documents, audit, { events, batches })
  const rows = [...documents.values()].filter((document): document is AuditRow => 'leafHash' in document)
  const kept = [...documents].filter(([id]) => !id.startsWith('edge:'))
  return { documents: kept, rows: rows.toSorted((a, b) => a.seq - b.seq) }
}

withServer(t, 'a rebuild gives the same rows and the same root, however the log comes', async (t, esdb) => {
  const log = esdb.log(t)
  await fill(log)
  const events = await read(log)
  t.equal(events.length, EVENTS)
  const positions = events.map(({ position }) => BigInt(position))
  t.ok(
    positions.some((position, n) => n > 0 && position > (positions[n - 1] ?? 0n) + 1n),
    'positions have gaps',
  )
  const random = createRandom(30)
  const first = await built(events, [])
  const again = await built(
    await read(esdb.log(t)),
    Array.from({ length: 40 }, () => 1 + random.below(30)),
  )
  t.strictSame(new Map(again.documents), new Map(first.documents))
  t.strictSame(
    first.rows.map(({ seq }) => seq),
    events.map((_, n) => n + 1),
  )
  const leaves = first.rows.map((row) => Buffer.from(row.leafHash, 'base64'))
  const root = rootByDefinition(events.map((event) => leafHash(logEntry(event))))
  t.ok(rootByDefinition(leaves).equals(root))
})
