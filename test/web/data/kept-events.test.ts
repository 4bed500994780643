import t from 'tap'
import { eventsSince, keepEvent, type KeptEvents } from '../../../web/data/kept-events.ts'

const eventAt = (seq: number) => ({ type: 'event', kind: 'movie.added', data: `{"seq":"${seq}"}`, id: String(seq) }) as const
const kept = (seqs: readonly number[], from: number): KeptEvents => seqs.map(eventAt).reduce<KeptEvents>(keepEvent, { from, events: [] })
const seqsSince = (events: KeptEvents, since: number) => eventsSince(events, since)?.map(({ id }) => Number(id))

t.test('a tab gets the events after its first answers, in order', async (t) => {
  const events = kept([12, 15, 15, 20], 10)
  t.strictSame(seqsSince(events, 10), [12, 15, 15, 20])
  t.strictSame(seqsSince(events, 12), [15, 15, 20])
  t.strictSame(seqsSince(events, 15), [20])
  t.strictSame(seqsSince(events, 99), [])
})

t.test('a tab whose answers are older than what is kept learns that', async (t) => {
  t.equal(seqsSince(kept([12], 10), 9), undefined)
  const many = kept(
    Array.from({ length: 150 }, (_, index) => index + 1),
    0,
  )
  t.equal(many.events.length, 100)
  t.equal(seqsSince(many, 49), undefined)
  t.strictSame(seqsSince(many, 148), [149, 150])
  t.equal(seqsSince(many, 50)?.length, 100)
})
