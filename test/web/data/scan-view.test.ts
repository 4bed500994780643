import t from 'tap'
import type { components } from '../../../web/api/schema.d.ts'
import { changesOf, isMassMissing, isRunning, phasesOf, shareOf, tookSeconds } from '../../../web/data/scan-view.ts'

type Scan = components['schemas']['Scan']

const NONE = { seen: 0, added: 0, updated: 0, moved: 0, missing: 0, restored: 0, unchanged: 0, ignored: 0, errors: 0 }
const progress = (done: number, total: number): Scan['progress'] => ({ done, total, percent: 0, current: null, etaSeconds: null })

t.test('each state of a scan is before, in or after the phases', (t) => {
  const now = (state: Scan['state']) => phasesOf({ state }).map(({ is }) => is)
  t.strictSame(now('queued'), ['ahead', 'ahead', 'ahead', 'ahead'])
  t.strictSame(now('walking'), ['now', 'ahead', 'ahead', 'ahead'])
  t.strictSame(now('matching'), ['done', 'done', 'now', 'ahead'])
  const ended = (['completed', 'failed', 'cancelled', 'interrupted'] as const).map((state) => isRunning({ state }))
  t.strictSame(ended, [false, false, false, false])
  const going = (['queued', 'walking', 'probing', 'matching', 'settling'] as const).map((state) => isRunning({ state }))
  t.strictSame(going, [true, true, true, true, true])
  t.end()
})

t.test('how far a scan is, is known once its files are counted', (t) => {
  t.equal(shareOf({ state: 'walking', progress: progress(0, 0) }), undefined)
  t.equal(shareOf({ state: 'probing', progress: progress(0, 0) }), undefined)
  t.equal(shareOf({ state: 'probing', progress: progress(5, 20) }), 0.25)
  t.equal(shareOf({ state: 'settling', progress: progress(21, 20) }), 1)
  t.end()
})

t.test('only counts that are not zero are named, and the time is known at the end', (t) => {
  t.strictSame(changesOf({ counts: { ...NONE, seen: 9, unchanged: 4, missing: 2, added: 3 } }), [
    { name: 'added', count: 3 },
    { name: 'missing', count: 2 },
  ])
  const startedAt = '2026-01-02T12:00:00.000Z'
  t.equal(tookSeconds({ startedAt, finishedAt: '2026-01-02T12:01:30.500Z' }), 90.5)
  t.equal(tookSeconds({ startedAt, finishedAt: null }), undefined)
  t.end()
})

t.test('many missing films at once look like a drive that is not mounted', (t) => {
  t.notOk(isMassMissing({ movieCount: 100, missingCount: 0 }))
  t.notOk(isMassMissing({ movieCount: 100, missingCount: 3 }))
  t.notOk(isMassMissing({ movieCount: 1, missingCount: 1 }), 'one film is deleted by hand')
  t.ok(isMassMissing({ movieCount: 3, missingCount: 2 }))
  t.ok(isMassMissing({ movieCount: 1000, missingCount: 10 }))
  t.end()
})
