import t from 'tap'
import { interruptScan, recordScan, requestScan, scan } from '../../src/domain/scan.ts'
import { NO_COUNTS } from '../../projections/scans.ts'
import { given } from '../given.ts'
import { named } from '../names.ts'

const libraryId = named<'library'>('films')
const key = (word: string) => ({ scanId: named<'scan'>(word), libraryId })
const asked = (word: string) => ({ ...key(word), mode: 'full', trigger: 'manual', startedBy: named<'user'>('ann'), paths: null }) as const
const requested = (word: string) => ({ type: 'ScanRequested', data: asked(word) }) as const
const started = (word: string) => ({ type: 'ScanStarted', data: { ...key(word), node: 'one' } }) as const
const ended = (word: string) => ({ ...key(word), counts: NO_COUNTS, errors: [] })
const completed = (word: string) => ({ type: 'ScanCompleted', data: ended(word) }) as const
const failed = (word: string) => ({ type: 'ScanFailed', data: { ...ended(word), reason: 'internal' } }) as const
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

t.test('what happens in a scan is recorded only while it is the running one', async (t) => {
  t.strictSame(given(scan, requested('first')).when(recordScan(started('first'))), [started('first')])
  t.match(given(scan).when(recordScan(started('first'))), { refusal: 'conflict' })
  t.match(given(scan, requested('first'), interrupted('first')).when(recordScan(completed('first'))), { refusal: 'conflict' })
  const second = given(scan, requested('first'), interrupted('first'), requested('second'))
  t.match(second.when(recordScan(completed('first'))), { refusal: 'conflict' })
})

t.test('the late end of an old scan does not end the running one', async (t) => {
  const { state } = given(scan, requested('first'), interrupted('first'), requested('second'), completed('first'))
  t.strictSame(state.running, key('second'))
})

t.test('a scan whose program is gone is interrupted, where one runs', async (t) => {
  t.strictSame(given(scan).when(interruptScan), [])
  t.strictSame(given(scan, requested('first')).when(interruptScan), [interrupted('first')])
  t.strictSame(given(scan, requested('first'), completed('first')).when(interruptScan), [])
})
