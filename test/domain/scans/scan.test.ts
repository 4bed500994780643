import t from 'tap'
import { cancelScan, interruptScan, recordScan, requestScan, scan } from '../../../src/domain/scans/scan.ts'
import { NO_COUNTS } from '../../../projections/views/scans.ts'
import type { ScanTrigger } from '../../../src/events/library-events.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const libraryId = named<'library'>('films')
const key = (word: string) => ({ scanId: named<'scan'>(word), libraryId })
const asked = (word: string) => ({ ...key(word), mode: 'full', trigger: 'manual', startedBy: named<'user'>('ann'), paths: null }) as const
const requested = (word: string, trigger: ScanTrigger = 'manual') => ({ type: 'ScanRequested', data: { ...asked(word), trigger } }) as const
const started = (word: string) => ({ type: 'ScanStarted', data: { ...key(word), node: 'one' } }) as const
const ended = (word: string) => ({ ...key(word), counts: NO_COUNTS, errors: [] })
const completed = (word: string) => ({ type: 'ScanCompleted', data: ended(word) }) as const
const failed = (word: string) => ({ type: 'ScanFailed', data: { ...ended(word), reason: 'internal' } }) as const
const cancelled = (word: string, reason: 'asked' | 'taken-over') => ({ type: 'ScanCancelled', data: { ...key(word), reason } }) as const
const interrupted = (word: string) => ({ type: 'ScanInterrupted', data: key(word) }) as const

t.test('a scan is requested where none runs', async (t) => {
  t.strictSame(given(scan).when(requestScan(asked('first'))), [requested('first')])
})

t.test('a second one is refused from the request of the first on until its end', async (t) => {
  const decide = requestScan(asked('second'))
  t.match(given(scan, requested('first')).when(decide), { refusal: 'conflict', message: 'A scan is already running' })
  t.match(given(scan, requested('first'), started('first')).when(decide), { refusal: 'conflict' })
  for (const end of [completed('first'), failed('first'), interrupted('first')]) {
    t.strictSame(given(scan, requested('first'), started('first'), end).when(decide), [requested('second')], end.type)
  }
})

t.test('a scan that nobody asked for gives way to one that somebody does, and to no other', async (t) => {
  for (const trigger of ['watcher', 'schedule'] as const) {
    const { state, when } = given(scan, requested('first', trigger))
    t.strictSame(when(requestScan(asked('second'))), [cancelled('first', 'taken-over'), requested('second')], trigger)
    t.match(when(requestScan({ ...asked('second'), trigger })), { refusal: 'conflict' })
    t.match(scan.evolve(scan.evolve(state, cancelled('first', 'taken-over'), ''), requested('second'), '').running, key('second'))
  }
  t.match(given(scan, requested('first', 'start')).when(requestScan(asked('second'))), { refusal: 'conflict' })
})

t.test('a running scan is cancelled, and another one may follow', async (t) => {
  t.match(given(scan).when(cancelScan('asked')), { refusal: 'not-found' })
  t.strictSame(given(scan, requested('first')).when(cancelScan('asked')), [cancelled('first', 'asked')])
  const after = given(scan, requested('first'), cancelled('first', 'asked'))
  t.match(after.when(recordScan(completed('first'))), { refusal: 'conflict' })
  t.strictSame(after.when(requestScan(asked('second'))), [requested('second')])
})

t.test('what happens in a scan is recorded only while it is the running one', async (t) => {
  t.strictSame(given(scan, requested('first')).when(recordScan(started('first'))), [started('first')])
  t.match(given(scan).when(recordScan(started('first'))), { refusal: 'conflict' })
  t.match(given(scan, requested('first'), interrupted('first')).when(recordScan(completed('first'))), { refusal: 'conflict' })
  const second = given(scan, requested('first'), interrupted('first'), requested('second'))
  t.match(second.when(recordScan(completed('first'))), { refusal: 'conflict' })
})

t.test('the late end of an old scan does not end the running one', async (t) => {
  const { state } = given(scan, requested('first'), interrupted('first'), requested('second'), completed('first'))
  t.match(state.running, key('second'))
})

t.test('a scan whose program is gone is interrupted, where one runs', async (t) => {
  const interrupt = interruptScan(named('first'))
  t.strictSame(given(scan).when(interrupt), [])
  t.strictSame(given(scan, requested('first')).when(interrupt), [interrupted('first')])
  t.strictSame(given(scan, requested('first'), completed('first')).when(interrupt), [])
  t.strictSame(
    given(scan, requested('first'), completed('first'), requested('second')).when(interrupt),
    [],
    'not the one that came after it',
  )
})
