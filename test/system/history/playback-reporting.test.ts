/**
 * Compares playback counts here with the rules of Jellyfin's Playback Reporting, for the same heartbeats and one kind of fault at a time.
 */
import t from 'tap'
import { viewings } from '../../../projections/views/viewings.ts'
import type { ViewingDocument } from '../../../projections/views/viewings.ts'
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import { fold } from '../../fixtures/fold.ts'
import { named } from '../../fixtures/names.ts'
import { reportedPlays, type PluginOptions } from './playback-reporting.ts'

const START = Date.parse('2026-03-28T19:00:00.000Z')
const file = { fileId: named<'file'>('file'), durationMs: 9_000_000 }
type Told = DomainEvent & { readonly atMs: number }
const own = { userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }

interface Movie {
  readonly session?: string
  readonly movie?: string
  /** Its start, in seconds after START. */
  readonly from?: number
}

/** A film whose player reports at these seconds after its start: a position, or a pause at it. */
function film({ session = 'evening', movie = 'metropolis', from = 0 }: Movie = {}) {
  const at = (seconds: number): number => START + (from + seconds) * 1000
  const ids = { userId: own.userId, movieId: named<'movie'>(movie), sessionId: named<'session'>(session) }
  const event = (type: DomainEvent['type'], seconds: number, more: object): Told =>
    ({ type, atMs: at(seconds), data: { ...ids, ...file, ...more } }) as unknown as Told
  return {
    begin: () => event('PlaybackStarted', 0, { positionMs: 0, libraryId: null, client: null, method: 'direct', idleSeconds: 120 }),
    beat: (seconds: number, position = seconds, more: { readonly rate?: number; readonly playState?: string } = {}) =>
      event('PlaybackHeartbeat', seconds, { positionMs: position * 1000, rate: 1, playState: 'playing', ...more }),
    end: (seconds: number, position = seconds) => event('PlaybackEnded', seconds, { positionMs: position * 1000, reason: 'client' }),
  }
}

const every10 = (from: number, to: number): readonly number[] => Array.from({ length: (to - from) / 10 }, (_, n) => from + (n + 1) * 10)

/** Seconds watched according to both, and the number of plays. */
function both(events: readonly Told[], options: PluginOptions = {}) {
  const ours = [...fold(viewings, ...events).values()].filter((one): one is ViewingDocument => 'watchedMs' in one)
  const theirs = reportedPlays(events, options)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  return {
    ours: [ours.length, sum(ours.map(({ watchedMs }) => watchedMs)) / 1000],
    theirs: [theirs.length, sum(theirs.map(({ seconds }) => seconds))],
  }
}

t.test('of a film that is simply watched both count the same', async (t) => {
  const { begin, beat, end } = film()
  t.strictSame(both([begin(), ...every10(0, 1200).map((at) => beat(at)), end(1200)]), { ours: [1, 1200], theirs: [1, 1200] })
})

t.test('a pause is seen late there, at the look after the next 20 seconds', async (t) => {
  const { begin, beat, end } = film()
  const events = [begin(), ...every10(0, 610).map((at) => beat(at)), beat(620, 615, { playState: 'paused' })]
  const paused = every10(620, 900).map((at) => beat(at, 615, { playState: 'paused' }))
  const resumed = every10(900, 1200).map((at) => beat(at, at - 285))
  t.strictSame(both([...events, ...paused, ...resumed, end(1200, 915)]), { ours: [1, 915], theirs: [1, 930] })
})

t.test('a player that loads is counted there as if it played, and one that plays a short film not at all', async (t) => {
  const { begin, beat, end } = film()
  const stuck = every10(300, 900).map((at) => beat(at, 300, { playState: 'buffering' }))
  t.strictSame(both([begin(), ...every10(0, 300).map((at) => beat(at)), ...stuck, end(900, 300)]), { ours: [1, 300], theirs: [1, 900] })
  t.strictSame(both([begin(), beat(10), end(15)]), { ours: [1, 10], theirs: [0, 0] })
})

t.test('a player that crashes goes on there for five to ten minutes', async (t) => {
  const { begin, beat } = film()
  t.strictSame(both([begin(), ...every10(0, 600).map((at) => beat(at))]), { ours: [1, 600], theirs: [1, 1200] })
})

t.test('what nobody has heard of is counted there as watched', async (t) => {
  const { begin, beat, end } = film()
  const away = [begin(), ...every10(0, 600).map((at) => beat(at)), ...every10(840, 1200).map((at) => beat(at, at - 200)), end(1200, 1000)]
  t.strictSame(both(away), { ours: [1, 980], theirs: [1, 1200] })
})

t.test('a start that comes twice is two plays in both, and one of them took no time', async (t) => {
  const [first, second] = [film(), film({ session: 'again', from: 5 })]
  const again = every10(0, 600).map((at) => second.beat(at))
  t.strictSame(both([first.begin(), second.begin(), ...again, second.end(600)]), { ours: [2, 600], theirs: [2, 600] })
})

t.test('a film after which the next one began without a stop is counted there until it is begun again, days later', async (t) => {
  const [one, next] = [film(), film({ session: 'next', movie: 'm', from: 610 })]
  const week = 7 * 86_400
  const later = film({ session: 'later', from: week })
  const events = [
    one.begin(),
    ...every10(0, 600).map((at) => one.beat(at)),
    next.begin(),
    ...every10(0, 600).map((at) => next.beat(at)),
    next.end(600),
    later.begin(),
    ...every10(0, 600).map((at) => later.beat(at)),
    later.end(600),
  ]
  t.strictSame(both(events), { ours: [3, 1800], theirs: [3, week + 1200] })
})

t.test('clocks that change in the night, or are put back, shorten and lengthen films there', async (t) => {
  const { begin, beat, end } = film({ from: 5.5 * 3600 })
  const watched = [begin(), ...every10(0, 3600).map((at) => beat(at)), end(3600)]
  const spring = Date.parse('2026-03-29T01:00:00.000Z')
  t.strictSame(both(watched, { offsetMs: (atMs) => (atMs < spring ? 1 : 2) * 3_600_000 }), { ours: [1, 3600], theirs: [1, 7200] })
  t.strictSame(both(watched, { offsetMs: (atMs) => (atMs < spring ? 2 : 1) * 3_600_000 }), { ours: [1, 3600], theirs: [1, 0] })
  const back = (event: Told): Told => (event.atMs <= START + 5.5 * 3_600_000 + 600_000 ? event : { ...event, atMs: event.atMs - 900_000 })
  t.strictSame(both([begin(), ...every10(0, 800).map((at) => back(beat(at))), back(end(800))]), { ours: [1, 790], theirs: [1, -100] })
})

t.test('at double speed both count the time that it took', async (t) => {
  const { begin, beat, end } = film()
  const fast = every10(0, 600).map((at) => beat(at, at * 2, { rate: 2 }))
  t.strictSame(both([begin(), ...fast, end(600, 1200)]), { ours: [1, 600], theirs: [1, 600] })
})
