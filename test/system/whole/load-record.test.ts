/** Tests that the bookkeeping of a load detects lost and duplicated commands. */
import t from 'tap'
import { toPosition } from '../../../src/events/position.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import { compareWithLog, markKey, openLoadRecord } from './load-record.ts'

const event = (type: string, data: object) => {
  const metadata = { v: '1', at: '', actor: 'system', prev: '', hash: '' }
  return { id: '', type, data, stream: '', revision: 0, position: toPosition(1), at: '', metadata } as unknown as RecordedEvent
}
const beat = (positionMs: number) => event('PlaybackHeartbeat', { sessionId: 's', positionMs })
const watched = event('MovieMarkedWatched', { userId: 'u', movieId: 'm' })
const unwatched = event('MovieMarkedUnwatched', { userId: 'u', movieId: 'm' })
const started = (sessionId: string) => event('PlaybackStarted', { userId: 'u', sessionId })
const ended = event('PlaybackEnded', { userId: 'u', sessionId: 's' })

function aRecord() {
  const record = openLoadRecord()
  record.beats.set('s', [
    { positionMs: 1, acknowledged: true },
    { positionMs: 2, acknowledged: false },
    { positionMs: 3, acknowledged: true },
  ])
  record.marks.set(markKey('u', 'm'), [
    { watched: true, acknowledged: true },
    { watched: false, acknowledged: false },
  ])
  record.starts.set('key', { userId: 'u', sessionId: 's', ended: true })
  return record
}

const none = { lost: [], doubled: [] }

t.test('what was not acknowledged may stand in the log or not', async (t) => {
  t.strictSame(compareWithLog(aRecord(), [started('s'), beat(1), beat(3), watched, ended]), none)
  t.strictSame(compareWithLog(aRecord(), [started('s'), beat(1), beat(2), beat(3), watched, unwatched, ended]), none)
})

t.test('what was acknowledged and is missing is lost', async (t) => {
  t.match(compareWithLog(aRecord(), [started('s'), beat(1), watched, ended]).lost, ['heartbeat 3 ms of s'])
  t.match(compareWithLog(aRecord(), [started('s'), beat(3), beat(1), watched, ended]).lost, ['the order of heartbeats of s'])
  t.match(compareWithLog(aRecord(), [started('s'), beat(1), beat(3), ended]).lost, ['1 marks of u m'])
  t.match(compareWithLog(aRecord(), [beat(1), beat(3), watched]).lost, ['session s', 'the end of session s'])
})

t.test('what stands there twice is found, acknowledged or not', async (t) => {
  t.match(compareWithLog(aRecord(), [started('s'), beat(1), beat(2), beat(2), beat(3), watched, ended]).doubled, ['heartbeat 2 ms of s'])
  t.match(compareWithLog(aRecord(), [started('s'), beat(1), beat(3), watched, watched, ended]).doubled, ['marks of u m'])
  t.match(compareWithLog(aRecord(), [started('s'), started('t'), beat(1), beat(3), watched, ended]).doubled, ['2 sessions of u for 1 keys'])
  t.match(compareWithLog(aRecord(), [started('s'), beat(1), beat(3), watched, ended, ended]).doubled, ['the end of session s'])
})
