/**
 * Keeps the agent's list of encoders, which it tests while idle. Until then the software encoder is assumed to work, so that nobody's first
 * film waits for a test, and hardware encoders are not. An encoder stays listed until a test disproves it.
 */
import { HARDWARE_ENCODERS, isHardware, SOFTWARE } from '../src/domain/streaming/encoders.ts'
import { UNTRIED_FRAMES_PER_SECOND } from '../src/domain/streaming/placement.ts'
import type { Encoder } from '../src/vocabulary/encoder.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { ProvedEncoder } from '../src/app/streaming/agents/agent-protocol.ts'
import type { Proof, Prove } from './encoder-proof.ts'
import { createEncoderCooldown } from './encoder-cooldown.ts'
import type { Report } from '../src/ports/report.ts'

export interface EncoderRegistryOptions {
  readonly clock: Clock
  readonly ffmpegPath: string
  /** Without it nothing is tested. */
  readonly prove: Prove | undefined
  readonly isIdle: () => boolean
  /** The list of encoders has changed. */
  readonly changed: () => void
  readonly onError: Report
  /** Prints messages that are no errors, for the operator. */
  readonly print: (text: string) => void
}

export interface EncoderRegistry {
  /** Null until they were tested. */
  encoders(): readonly ProvedEncoder[] | null
  /** A hardware encoder that worked has failed during a job: it takes no new job for a while. */
  failed(this: void, encoder: Encoder, why: string): void
  /** A job starts: a running test is stopped. */
  interrupt(): void
  close(): Promise<void>
}

interface State extends EncoderRegistryOptions {
  readonly believed: Map<Encoder, ProvedEncoder>
  readonly proved: Set<Encoder>
  readonly notBefore: Map<Encoder, number>
  isDecided: boolean
  /** Why the software encoder does not work. */
  whyNot: string
  /** The names that were last printed. */
  printed: string | undefined
}

/** A server that has just started is about to be used. */
const QUIET_MS = 3_000
/** A failed ffmpeg is tested again: it may have been replaced. */
const AGAIN_MS = 60_000
/** Hardware encoders come and go with drivers; testing a missing one is quick. */
const HARDWARE_AGAIN_MS = 600_000
/** In test order: first the one every machine has. */
const TRIED = [SOFTWARE, ...HARDWARE_ENCODERS]

export function createEncoderRegistry(options: EncoderRegistryOptions): EncoderRegistry {
  const { clock, prove, isIdle, changed, print } = options
  const unproved = { name: SOFTWARE, framesPerSecond: UNTRIED_FRAMES_PER_SECOND }
  const state: State = {
    ...options,
    believed: new Map([[SOFTWARE, unproved]]),
    proved: new Set(),
    notBefore: new Map(),
    isDecided: false,
    whyNot: '',
    printed: undefined,
  }
  const rests = createEncoderCooldown(clock)
  let trying: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined
  let quietUntil = clock.monotonic() + QUIET_MS
  const stopLooking = prove ? clock.every(QUIET_MS, look) : () => undefined

  function look(): void {
    const due = trying || clock.monotonic() < quietUntil || !isIdle() ? [] : dueOf(state)
    if (!prove || due.length === 0) return
    const stop = new AbortController()
    const ended = tryAll(state, prove, { due, signal: stop.signal }).finally(() => (trying = undefined))
    trying = { stop, ended }
  }

  return {
    encoders: () => (state.isDecided ? [...state.believed.values()].filter(({ name }) => !rests.has(name)) : null),
    failed(encoder, why) {
      if (!isHardware(encoder) || rests.has(encoder)) return
      print(`Encoding with ${encoder} failed on this machine: it is not used for ${rests.begin(encoder) / 1000} seconds. ${why}`)
      changed()
    },
    interrupt() {
      trying?.stop.abort(new Error('A job has begun'))
      quietUntil = Math.max(quietUntil, clock.monotonic() + QUIET_MS)
    },
    async close() {
      stopLooking()
      trying?.stop.abort(new Error('The agent is closing'))
      await trying?.ended
    },
  }
}

function dueOf({ clock, proved, notBefore }: State): readonly Encoder[] {
  return TRIED.filter((encoder) => !proved.has(encoder) && clock.monotonic() >= (notBefore.get(encoder) ?? -Infinity))
}

interface Round {
  readonly due: readonly Encoder[]
  readonly signal: AbortSignal
}

/** Never rejects: an interrupted test is repeated later. */
async function tryAll(state: State, prove: Prove, { due, signal }: Round): Promise<void> {
  try {
    for (const encoder of due) settle(state, encoder, await prove(encoder, signal))
  } catch (cause) {
    if (!signal.aborted) state.onError(cause, 'warn')
    return
  }
  printEncoders(state)
}

function settle(state: State, encoder: Encoder, proof: Proof): void {
  const { clock, believed, proved, notBefore, changed } = state
  notBefore.set(encoder, clock.monotonic() + (isHardware(encoder) ? HARDWARE_AGAIN_MS : AGAIN_MS))
  if (proof.type === 'undecided') return
  if (proof.type === 'proved') {
    proved.add(encoder)
    believed.set(encoder, proof.encoder)
  } else {
    believed.delete(encoder)
    if (encoder === SOFTWARE) state.whyNot = proof.why
  }
  state.isDecided ||= proof.type === 'proved' || encoder === SOFTWARE
  changed()
}

/** Once after all were tested, and again if the result changes. */
function printEncoders(state: State): void {
  const { believed, notBefore, printed, ffmpegPath, onError, print } = state
  const names = [...believed.keys()].join()
  if (notBefore.size < TRIED.length || printed === names) return
  state.printed = names
  if (believed.size > 0) print(`Video encoders of this machine: ${[...believed.values()].map(inWords).join(', ')}.`)
  else
    onError(
      new Error(`This machine's ffmpeg (${ffmpegPath}) cannot encode video, so its transcode agent takes no such jobs: ${state.whyNot}`),
    )
}

function inWords({ name, framesPerSecond }: ProvedEncoder): string {
  return `${name} (${isHardware(name) ? 'hardware' : 'software'}, about ${framesPerSecond} frames a second from 1080p to 720p)`
}
