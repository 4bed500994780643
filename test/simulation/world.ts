/**
 * The world of a simulation: one virtual time for all its computers. Pending events are in a heap by time; one runs at a time, and all
 * promises settle before the next. All choices come from the seed, so a seed determines a whole history.
 */
import { randomBelow, type RandomBelow } from '../fixtures/random-below.ts'
import { createHeap } from './heap.ts'
import type { Host } from './host.ts'

export interface World {
  readonly chance: RandomBelow
  /** Random choices of one participant, independent of all others: a seed keeps most of its history when programs change. */
  randomBelow(name: string): RandomBelow
  /** Percentage of calls that take no time. */
  readonly quickness: number
  now(): number
  /** Runs on the host after this time: later if the host is paused, never if it has crashed. Returns a function that cancels it. */
  later(ms: number, host: Host | null, label: string, run: () => void): () => void
  /** Latency of a network message. */
  latencyMs(): number
  /** Runs the world until then, or until no events are left. */
  runUntil(ms: number): Promise<void>
  /** Records a fact of this history, as part of its digest. */
  note(text: string): void
  /** Reports a violation. The history continues. */
  fail(text: string): void
  readonly failures: readonly string[]
  /** Identifies a history. */
  digest(): string
  steps(): number
}

interface Happening {
  readonly dueMs: number
  readonly order: number
  readonly host: Host | null
  readonly label: string
  readonly run: () => void
  cancelled: boolean
}

const FAILURES_MAX = 20
const before = (a: Happening, b: Happening): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a. */
function textDigest(text: string, from = FNV_OFFSET): number {
  let digest = from
  for (let n = 0; n < text.length; n++) digest = Math.imul(digest ^ text.charCodeAt(n), FNV_PRIME)
  return digest
}

/** Events per turn of the event loop, which costs more than they do. */
const TURN = 64

/** Runs steps until none is left. All promises that can settle have settled between two immediates, even those of one turn. */
function eachByItself(step: () => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isOver = false
  const take = (): void => {
    try {
      isOver ||= !step()
    } catch (cause) {
      isOver = true
      reject(cause)
    }
  }
  const turn = (): void => {
    if (isOver) return resolve()
    for (let n = 0; n < TURN; n++) setImmediate(take)
    setImmediate(turn)
  }
  take()
  setImmediate(turn)
  return promise
}

export function createWorld(seed: number, tell?: (line: string) => void): World {
  const chance = randomBelow(seed)
  const heap = createHeap(before)
  const failures: string[] = []
  const quickness = [50, 80, 95][chance(3)] ?? 80
  let nowMs = 0
  let order = 0
  let steps = 0
  let digest = FNV_OFFSET

  function note(text: string): void {
    digest = textDigest(text, digest)
    tell?.(`${nowMs.toFixed(3).padStart(10)}  ${text}`)
  }

  /** Part of the digest like a note, but without building a text: there are thousands. */
  function happen({ host, label, run }: Happening): void {
    steps++
    digest = textDigest(label, textDigest(host?.name ?? '-', digest)) ^ Math.round(nowMs * 1000)
    tell?.(`${nowMs.toFixed(3).padStart(10)}  ${host?.name ?? '-'} ${label} ${nowMs}`)
    run()
  }

  /** Whether there was an event to run until then. */
  function step(untilMs: number): boolean {
    for (let next = heap.peek(); next && next.dueMs <= untilMs; next = heap.peek()) {
      heap.pop()
      if (next.cancelled || next.host?.crashed) continue
      nowMs = next.dueMs
      if (!next.host?.paused) {
        happen(next)
        return true
      }
      next.host.missed.push(next)
    }
    return false
  }

  async function runUntil(ms: number): Promise<void> {
    await eachByItself(() => step(ms))
    nowMs = ms
  }

  return {
    chance,
    randomBelow: (name) => randomBelow(seed ^ textDigest(name)),
    quickness,
    failures,
    note,
    runUntil,
    now: () => nowMs,
    later(ms, host, label, run) {
      const happening = { dueMs: nowMs + Math.max(0, ms), order: order++, host, label, run, cancelled: false }
      heap.push(happening)
      return () => void (happening.cancelled = true)
    },
    latencyMs() {
      const dice = chance(100)
      if (dice < 90) return 0.1 + chance(3000) / 1000
      return dice < 99 ? 3 + chance(20) : 20 + chance(180)
    },
    fail(text) {
      note(`FAILED ${text}`)
      if (failures.length < FAILURES_MAX) failures.push(`${(nowMs / 1000).toFixed(3)} s: ${text}`)
    },
    digest: () => (digest >>> 0).toString(16).padStart(8, '0'),
    steps: () => steps,
  }
}
