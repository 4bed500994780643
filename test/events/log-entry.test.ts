import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { StoredEvent } from '../../src/events/envelope.ts'
import { LEFT_OUT, logEntry, MAX_ENTRY_BYTES } from '../../src/events/log-entry.ts'
import { toPosition } from '../../src/events/position.ts'
import { goldenEvents as golden } from '../fixtures/golden-events.ts'

function goldenOf(type: string): StoredEvent {
  const event = golden.find((one) => one.type === type)
  if (!event) throw new TypeError(type)
  return event
}

t.test('an entry is what was stored, wherever it stands in the log', async (t) => {
  const stored = goldenOf('UserRegistered')
  const { position: _, ...rest } = stored
  t.strictSame(JSON.parse(logEntry(stored)), rest)
  t.equal(logEntry({ ...stored, position: toPosition(7) }), logEntry(stored))
})

t.test('no entry holds the hash of a token, an address or a secret', async (t) => {
  const holding = golden.flatMap((event) =>
    ['tokenHash', 'emailHmac', 'digest', 'recoveryCode', 'recoveryCodes'].flatMap((name) =>
      [event.data[name]].flat().flatMap((hash) => (typeof hash === 'string' ? { event, hash } : [])),
    ),
  )
  t.equal(holding.length, 10)
  for (const { event, hash } of holding) {
    t.notOk(logEntry(event).includes(hash), event.type)
    t.ok(logEntry(event).includes(event.metadata.hash), 'its own hash covers it')
  }
})

t.test('the verifier in Python leaves out the same', async (t) => {
  const text = readFileSync(join(import.meta.dirname, '../system/audit/verify_log.py'), 'utf8')
  const listed = /LEFT_OUT = (\{.*?\})/s.exec(text)?.[1] ?? ''
  t.strictSame(JSON.parse(listed), LEFT_OUT)
})

t.test('the entry of a large event is its head, with the hash that covers its data', async (t) => {
  const stored = goldenOf('ScanCompleted')
  const large = {
    ...stored,
    data: { ...stored.data, errors: Array.from({ length: 1000 }, () => ({ file: 'x'.repeat(100), message: '' })) },
  }
  t.ok(Buffer.byteLength(logEntry(large)) <= MAX_ENTRY_BYTES)
  t.match(JSON.parse(logEntry(large)), { type: 'ScanCompleted', metadata: { hash: stored.metadata.hash } })
  t.notMatch(logEntry(large), /xxx/)
})
