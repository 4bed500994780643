/** Observes a player: when its video stalled, and which parts it skipped. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LivePlayer, Look } from './live.ts'

export interface Stall {
  /** By the clock of `performance`. */
  readonly fromMs: number
  readonly ms: number
}

/** What a viewer has seen so far. */
export interface Viewing {
  /** When the video first advanced; undefined before. */
  readonly startedAtMs: number | undefined
  readonly last: Look
  /** Stalls since then, including a current one. */
  readonly stalls: readonly Stall[]
  /** Skipped film time, seconds. */
  readonly skippedS: number
}

export interface Following {
  /** @throws if the video does not advance within this time */
  started(withinMs: number): Promise<void>
  viewing(): Viewing
  stop(): Promise<Viewing>
}

const LOOK_EVERY_MS = 250
/** A shorter stall may come from the busy machine. */
const STALL_MS = 1000
const SKIP_S = 1.5
const FIRST_MOVE_S = 0.1

export function follow(player: LivePlayer): Following {
  const stalls: Stall[] = []
  const stopping = new AbortController()
  let last: Look = { positionS: 0, ended: false, errors: [] }
  let movedAtMs = performance.now()
  let startedAtMs: number | undefined
  let jumpedS = 0

  function take(look: Look, nowMs: number): void {
    const advanceS = look.positionS - last.positionS
    last = look
    if (startedAtMs === undefined && look.positionS < FIRST_MOVE_S) return
    if (advanceS <= 0 && startedAtMs !== undefined) return
    const ms = nowMs - movedAtMs
    if (startedAtMs !== undefined && ms > STALL_MS) stalls.push({ fromMs: movedAtMs, ms })
    // If the player counts its frames, the count is more exact: the player may only be catching up.
    if (startedAtMs !== undefined && look.decodedS === undefined) jumpedS += over(advanceS - ms / 1000)
    startedAtMs ??= nowMs
    movedAtMs = nowMs
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      take(await player.look(), performance.now())
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  function viewing(): Viewing {
    const stillMs = performance.now() - movedAtMs
    const lasting = startedAtMs !== undefined && stillMs > STALL_MS ? [{ fromMs: movedAtMs, ms: stillMs }] : []
    const undecodedS = last.decodedS === undefined ? 0 : over(last.positionS - last.decodedS)
    return { startedAtMs, last, stalls: [...stalls, ...lasting], skippedS: jumpedS + undecodedS }
  }

  const watching = watch()
  return {
    async started(withinMs) {
      for (const endMs = performance.now() + withinMs; viewing().startedAtMs === undefined; await sleep(LOOK_EVERY_MS))
        if (performance.now() > endMs || last.ended) throw new Error(`${player.name} does not start: ${last.errors.join('; ')}`)
    },
    viewing,
    async stop() {
      stopping.abort()
      const seen = viewing()
      await watching
      return seen
    },
  }
}

const over = (seconds: number): number => (seconds > SKIP_S ? seconds : 0)
