import t from 'tap'
import { timelineOf } from '../../../src/domain/history/timeline.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import type { PlayState } from '../../../src/events/playback-events.ts'
import { iso, NOON } from '../../fixtures/given.ts'

const at = (seconds: number) => iso(NOON + seconds * 1000)
const event = (type: string, seconds: number, data: object) => ({ type, at: at(seconds), data }) as unknown as RecordedEvent
const started = event('PlaybackStarted', 0, { positionMs: 0 })
const beat = (seconds: number, position: number, playState: PlayState = 'playing') =>
  event('PlaybackHeartbeat', seconds, { positionMs: position * 1000, playState })
const sought = (seconds: number, position: number) => event('PlaybackSeeked', seconds, { positionMs: position * 1000 })
const ended = (seconds: number, position: number) => event('PlaybackEnded', seconds, { positionMs: position * 1000 })

const second = (time: string) => (Date.parse(time) - NOON) / 1000
const told = (...events: readonly RecordedEvent[]) =>
  timelineOf([started, ...events])
    .slice(1)
    .map(({ kind, since, at: until, fromMs, toMs }) => [kind, second(since), second(until), fromMs / 1000, toMs / 1000])

t.test('a stretch is called what the player did in it, not what it went over to at its end', (t) => {
  t.strictSame(told(beat(10, 10), beat(20, 18, 'paused'), beat(30, 18, 'paused'), beat(40, 23), ended(45, 23)), [
    ['play', 0, 10, 0, 10],
    ['play', 10, 20, 10, 18],
    ['pause', 20, 30, 18, 18],
    ['play', 30, 40, 18, 23],
    ['end', 40, 45, 23, 23],
  ])
  t.strictSame(told(beat(10, 0, 'paused'), beat(20, 0)), [
    ['pause', 0, 10, 0, 0],
    ['pause', 10, 20, 0, 0],
  ])
  t.end()
})

t.test('a player that loads stands still without a pause', (t) => {
  t.strictSame(told(beat(10, 10, 'buffering'), beat(20, 10, 'buffering'), beat(20, 10)), [
    ['play', 0, 10, 0, 10],
    ['beat', 10, 20, 10, 10],
    ['beat', 20, 20, 10, 10],
  ])
  t.end()
})

t.test('a jump without a reported seek is a seek', (t) => {
  t.strictSame(told(beat(10, 10), sought(12, 500), beat(20, 508), beat(30, 100), beat(40, 100, 'paused'), beat(50, 900, 'paused')), [
    ['play', 0, 10, 0, 10],
    ['seek', 10, 12, 10, 500],
    ['play', 12, 20, 500, 508],
    ['seek', 20, 30, 508, 100],
    ['pause', 30, 40, 100, 100],
    ['seek', 40, 50, 100, 900],
  ])
  t.end()
})

t.test('what was played before an unreported jump ahead is played, and the rest is skipped', (t) => {
  t.strictSame(told(beat(10, 10), beat(14, 3_014), beat(24, 3_024), beat(34, 3_043), beat(40, 3_043, 'paused'), beat(45, 4_000)), [
    ['play', 0, 10, 0, 10],
    ['play', 10, 14, 10, 14],
    ['seek', 14, 14, 14, 3_014],
    ['play', 14, 24, 3_014, 3_024],
    ['play', 24, 34, 3_024, 3_034],
    ['seek', 34, 34, 3_034, 3_043],
    ['pause', 34, 40, 3_043, 3_043],
    ['seek', 40, 45, 3_043, 4_000],
  ])
  const fast = event('PlaybackHeartbeat', 10, { positionMs: 20_000, playState: 'playing', rate: 2 })
  t.strictSame(told(fast, beat(20, 36)), [
    ['play', 0, 10, 0, 20],
    ['play', 10, 20, 20, 36],
  ])
  t.end()
})

t.test('no stretch takes less than no time, whatever is done to the clock', (t) => {
  t.strictSame(told(beat(10, 10), beat(-290, 20), ended(-285, 20)), [
    ['play', 0, 10, 0, 10],
    ['play', 10, 10, 10, 20],
    ['end', 10, 10, 20, 20],
  ])
  t.end()
})
