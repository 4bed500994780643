/** Injects one fault while players watch; records each player's stalls and responses, and the leftovers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Passed } from '../cluster/proxy.ts'
import { leftAfter, orphansOf, type Left } from './leftovers.ts'
import type { OpenPlayer, Seat, PlayersFixture } from './players-fixture.ts'

export interface PlaybackFault {
  readonly name: string
  /** Takes a part down, and returns what brings it back. */
  readonly begin: (fixture: PlayersFixture) => Promise<() => Promise<void> | void>
}

export interface Times {
  readonly beforeMs: number
  readonly awayMs: number
  readonly afterMs: number
}

export interface Seen {
  readonly player: string
  readonly startS: number
  /** Stalls of the video: before the fault; and since then, the total and the longest. */
  readonly stallBeforeS: number
  readonly stallS: number
  readonly longestStallS: number
  readonly skippedS: number
  /** It plays in the end, without help. */
  readonly goesOn: boolean
  /** It has given up. */
  readonly ended: boolean
  readonly positionS: number
  /** Its expected position if it had stalled only at those times. */
  readonly expectedS: number
  readonly errors: readonly string[]
  /** From the fault until the next complete segment response, and the longest duration of one. */
  readonly nextSegmentS: number
  readonly slowestSegmentS: number
  /** Failed requests and their counts: `segment 503`. */
  readonly refused: ReadonlyMap<string, number>
  readonly segments: number
  /** Segments that it was refused and has not received since. */
  readonly lost: number
  readonly beats: number
}

export interface Outcome {
  readonly fault: string
  readonly seen: readonly Seen[]
  /** ffmpegs without an agent ten seconds after the fault, and when the last one ended. */
  readonly orphans: number
  readonly orphansGoneMs: number
  readonly left: Left
}

const ORPHANS_MS = 10_000
/** On a busy machine everything is late, and a player may be stalled at that moment. */
const MOVES_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 250
const MOVES_S = 1

export async function runPlaybackFault(
  fault: PlaybackFault,
  fixture: PlayersFixture,
  { players, times }: { readonly players: readonly OpenPlayer[]; readonly times: Times },
): Promise<Outcome> {
  const seats = await allSeated(fixture, players)
  let seen: readonly Seen[] = []
  let orphans = { count: 0, goneAfterMs: 0 }
  try {
    await sleep(times.beforeMs)
    const beganMs = performance.now()
    const bringBack = await fault.begin(fixture)
    const looking = orphansOf(fixture, ORPHANS_MS)
    await sleep(times.awayMs)
    await bringBack()
    await sleep(times.afterMs)
    const views = seats.map((seat) => seenFrom(seat, fixture.passed, beganMs))
    seen = await Promise.all(views.map(async (view, n) => ({ ...view, goesOn: await moves(seats[n]) })))
    orphans = await looking
  } finally {
    await Promise.all(seats.map((seat) => seat.leave()))
  }
  const left = await leftAfter(
    fixture,
    seats.map(({ sessionId }) => sessionId),
  )
  return { fault: fault.name, seen, orphans: orphans.count, orphansGoneMs: orphans.goneAfterMs, left }
}

/** If one does not start, the others leave. */
async function allSeated(fixture: PlayersFixture, players: readonly OpenPlayer[]): Promise<readonly Seat[]> {
  const seating = await Promise.allSettled(players.map((open) => fixture.seat(open)))
  const failed = seating.find((one) => one.status === 'rejected')
  const seats = seating.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (!failed) return seats
  await Promise.all(seats.map((seat) => seat.leave()))
  throw failed.reason
}

async function moves(seat: Seat | undefined): Promise<boolean> {
  const look = () => seat?.following.viewing().last ?? NOTHING
  const from = look().positionS
  for (const endMs = performance.now() + MOVES_WITHIN_MS; performance.now() < endMs && !look().ended; await sleep(LOOK_EVERY_MS))
    if (look().positionS > from + MOVES_S) return true
  return false
}

function seenFrom({ sessionId, player, following, startS, beats }: Seat, passed: readonly Passed[], beganMs: number): Omit<Seen, 'goesOn'> {
  const { startedAtMs = beganMs, last, stalls, skippedS } = following.viewing()
  const requests = passed.filter(({ path }) => path.startsWith(`/api/stream/${sessionId}/`))
  const segments = requests.filter(({ path }) => kindOf(path) === 'segment')
  const next = segments.filter(({ status, toMs }) => status === 200 && toMs > beganMs).map(({ toMs }) => toMs - beganMs)
  const stallsS = stalls.map(({ fromMs, ms }) => (fromMs + ms - Math.max(fromMs, beganMs)) / 1000).filter((s) => s > 0)
  const [stallS, allStallS] = [sumOf(stallsS), sumOf(stalls.map(({ ms }) => ms)) / 1000]
  return {
    player: player.name,
    startS,
    stallBeforeS: allStallS - stallS,
    stallS,
    longestStallS: Math.max(0, ...stallsS),
    skippedS,
    ended: last.ended,
    positionS: last.positionS,
    expectedS: (performance.now() - startedAtMs) / 1000 - allStallS,
    errors: last.errors,
    nextSegmentS: Math.min(...next) / 1000,
    slowestSegmentS: Math.max(0, ...segments.map(({ fromMs, toMs }) => toMs - fromMs)) / 1000,
    refused: refusedOf(requests, beats),
    segments: segments.filter(({ status }) => status === 200).length,
    lost: lostIn(segments),
    beats: beats.filter(({ status }) => status === 200).length,
  }
}

function lostIn(segments: readonly Passed[]): number {
  const nameOf = ({ path }: Passed): string => path.replace(/\?.*/, '')
  const got = new Set(segments.filter(({ status }) => status === 200).map(nameOf))
  return new Set(
    segments
      .filter(isFailed)
      .map(nameOf)
      .filter((name) => !got.has(name)),
  ).size
}

function refusedOf(requests: readonly Passed[], beats: Seat['beats']): ReadonlyMap<string, number> {
  const kinds = [
    ...requests.filter(isFailed).map(({ path, status }) => `${kindOf(path)} ${status}`),
    ...beats.filter(isFailed).map(({ status }) => `heartbeat ${status}`),
  ]
  return new Map([...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => [kind, length]))
}

const NOTHING = { positionS: 0, ended: true }
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const isFailed = ({ status }: { readonly status: number }): boolean => status < 200 || status >= 300

function kindOf(path: string): string {
  if (/\/seg-\d+\.m4s/.test(path)) return 'segment'
  return path.includes('.m3u8') ? 'playlist' : 'init'
}
