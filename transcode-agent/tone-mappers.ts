/**
 * Tests the tone-mappers of this machine. The usual one is tested once the start is over, which takes a tenth of a second. The other, which
 * may compile shaders on the CPU, is tested while idle. A job that needs one before waits for its test. Until then both are assumed to work.
 * An interrupted or starved test is inconclusive and is repeated.
 */
import { TONE_MAPPERS, USUAL_MAPPER, type ToneMapper } from '../src/vocabulary/tone-mapper.ts'
import type { Clock } from '../src/ports/clock.ts'
import { tryMapper, type Tried } from './filter-probe.ts'
import type { Capabilities } from './work.ts'
import type { Report } from '../src/ports/report.ts'

export interface ToneMappersOptions {
  readonly clock: Clock
  readonly ffmpegPath: string
  /** Otherwise a mapper is tested only when a job needs it. */
  readonly triesAhead: boolean
  readonly isIdle: () => boolean
  /** The list of mappers has changed. */
  readonly changed: () => void
  readonly onError: Report
  readonly attempt?: typeof tryMapper
}

export interface ToneMappers {
  /** All except those that failed their test. */
  believed(): readonly ToneMapper[]
  /** Waits for the test. Undefined if the machine cannot do it, or the test was inconclusive. */
  capabilities(mapper: ToneMapper): Promise<Capabilities | undefined>
  /** A job starts: tests made ahead are stopped. */
  interrupt(): void
  close(): Promise<void>
}

interface State extends ToneMappersOptions {
  readonly results: Map<ToneMapper, Tried>
  readonly running: Map<ToneMapper, { readonly stop: AbortController; readonly isAhead: boolean; readonly trial: Promise<Tried> }>
  notBefore: number
}

const QUIET_MS = 3_000
const START_MS = 500
/** Pause after an inconclusive test. */
const AGAIN_MS = 60_000

export function createToneMappers(options: ToneMappersOptions): ToneMappers {
  const { clock, triesAhead } = options
  const state: State = { ...options, results: new Map(), running: new Map(), notBefore: clock.monotonic() + QUIET_MS }
  const stopLooking = triesAhead ? clock.every(QUIET_MS, () => look(state)) : () => undefined
  const closing = new AbortController()
  if (triesAhead) void tryUsual(state, closing.signal)
  return {
    believed: () => believed(state),
    async capabilities(mapper) {
      for (let attempts = 0; attempts < 2 && !state.results.has(mapper); attempts++) await tried(state, mapper, { isAhead: false })
      const result = state.results.get(mapper)
      return result?.proved === 'yes' ? result.found : undefined
    },
    interrupt() {
      for (const { stop, isAhead } of state.running.values()) if (isAhead) stop.abort()
      state.notBefore = Math.max(state.notBefore, clock.monotonic() + QUIET_MS)
    },
    async close() {
      stopLooking()
      closing.abort()
      const running = [...state.running.values()]
      for (const { stop } of running) stop.abort()
      await Promise.all(running.map(({ trial }) => trial))
    },
  }
}

async function tryUsual(state: State, signal: AbortSignal): Promise<void> {
  await state.clock.sleep(START_MS, signal).catch(() => undefined)
  if (!signal.aborted && !state.results.has(USUAL_MAPPER)) await tried(state, USUAL_MAPPER, { isAhead: false })
}

function look(state: State): void {
  const { clock, results, running, isIdle } = state
  const next = TONE_MAPPERS.find((mapper) => !results.has(mapper))
  if (next && running.size === 0 && clock.monotonic() >= state.notBefore && isIdle()) void tried(state, next, { isAhead: true })
}

/** The running test, or a new one; never rejects. */
async function tried(state: State, mapper: ToneMapper, { isAhead }: { readonly isAhead: boolean }): Promise<Tried> {
  const before = state.running.get(mapper)
  if (before && !before.stop.signal.aborted) return before.trial
  const stop = new AbortController()
  const { attempt = tryMapper, ffmpegPath } = state
  const trial = attempt(ffmpegPath, mapper, stop.signal)
  state.running.set(mapper, { stop, isAhead, trial })
  const result = await trial
  if (state.running.get(mapper)?.trial === trial) state.running.delete(mapper)
  if (result.proved === 'unknown') state.notBefore = state.clock.monotonic() + (stop.signal.aborted ? QUIET_MS : AGAIN_MS)
  else note(state, mapper, result)
  return result
}

function note(state: State, mapper: ToneMapper, result: Tried): void {
  state.results.set(mapper, result)
  state.changed()
  if (believed(state).length > 0) return
  const reason = state.results.get(USUAL_MAPPER)?.reason ?? ''
  state.onError(
    new Error(`This machine's ffmpeg (${state.ffmpegPath}) cannot tone-map, so HDR films that it encodes look pale: ${reason}`),
    'warn',
  )
}

const believed = ({ results }: State): readonly ToneMapper[] => TONE_MAPPERS.filter((mapper) => results.get(mapper)?.proved !== 'no')
