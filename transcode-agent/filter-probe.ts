/**
 * Tests which optional filters this machine's ffmpeg can run: a filter may be compiled in while the machine lacks its requirements. A few
 * frames of one brightness are tone-mapped and must come out with one brightness and no tint.
 */
import { omitUndefined } from '../src/vocabulary/omit-undefined.ts'
import type { ToneMap } from '../src/domain/streaming/tone-map.ts'
import type { ToneMapper } from '../src/vocabulary/tone-mapper.ts'
import { generatedInput } from '../src/ffmpeg/inputs.ts'
import { runShort } from '../src/ffmpeg/run.ts'
import { mapperArguments, scaleFilters } from './colour-filters.ts'
import { NO_CAPABILITIES, type Capabilities } from './work.ts'

/** `unknown`: the test was stopped or ran out of time. */
export type Proved = 'yes' | 'no' | 'unknown'

export interface ToneMapTrial {
  readonly proved: Proved
  /** ffmpeg's message if the filter failed. */
  readonly reason: string
}

/** Compiling libplacebo's shaders takes two seconds of CPU; this allows for a busy small board. */
const TIMEOUT_MS = 60_000
const SIDE = 64
const FRAMES = 2
const FRAME_BYTES = (SIDE * SIDE * 3) / 2
const PQ = { transfer: 'pq', primaries: 'bt2020', matrix: 'bt2020nc', isFullRange: false, peakNits: 1_000 } as const
/** 10-bit grey of about 100 cd/m2: neither black nor white on any transfer curve. */
const GREY = generatedInput(`color=c=gray:size=${SIDE}x${SIDE}:rate=25,format=yuv420p10le`)
const [LEAST_GREY, MOST_GREY] = [80, 230]
const NEUTRAL = 128
const MOST_OFF = 6

/** Tests a filter on first use; tests again if the result was unknown. */
export function createFilterProbe(program: string): (mapper: ToneMapper) => Promise<Capabilities> {
  const asked = new Map<ToneMapper, Promise<Capabilities | undefined>>()
  return async (mapper) => {
    const answer = asked.get(mapper) ?? tryMapper(program, mapper).then(({ found }) => found)
    asked.set(mapper, answer)
    const found = await answer
    if (!found) asked.delete(mapper)
    return found ?? NO_CAPABILITIES
  }
}

export interface Tried extends ToneMapTrial {
  /** Undefined if the test was inconclusive. */
  readonly found: Capabilities | undefined
}

const FORMS: Readonly<Record<ToneMapper, readonly Capabilities[]>> = {
  zscale: [{ zscale: true }],
  // Builds before 7.0 know only the second form.
  libplacebo: [
    { zscale: false, libplacebo: { hasContrastRecovery: true } },
    { zscale: false, libplacebo: { hasContrastRecovery: false } },
  ],
}

export async function tryMapper(program: string, by: ToneMapper, signal?: AbortSignal): Promise<Tried> {
  let reason = ''
  for (const found of FORMS[by]) {
    const trial = await attempt(program, { ...PQ, by }, { found, signal })
    if (trial.proved === 'yes') return { ...trial, found }
    if (trial.proved === 'unknown') return { ...trial, found: undefined }
    reason = trial.reason
  }
  return { proved: 'no', reason, found: NO_CAPABILITIES }
}

interface Attempt {
  readonly found: Capabilities
  readonly signal: AbortSignal | undefined
}

async function attempt(program: string, toneMap: ToneMap, { found, signal }: Attempt): Promise<ToneMapTrial> {
  const filters = [...scaleFilters({ width: SIDE, height: SIDE, toneMap }, found), 'format=yuv420p'].join(',')
  const made = ['-vf', filters, '-frames:v', String(FRAMES), '-f', 'rawvideo', 'pipe:1']
  const args = ['-v', 'error', '-hide_banner', '-nostdin', ...mapperArguments(toneMap), ...GREY, ...made]
  const limits = { work: 'encode', behind: true, timeoutMs: TIMEOUT_MS, maxBytes: 1024 * 1024 } as const
  const { code, output, errors, stopped } = await runShort(program, args, { ...limits, ...omitUndefined({ signal }) })
  if (code === 0 && !stopped) return trialOf(output)
  // ffmpeg itself failed; it was neither stopped nor impossible to start.
  const isRefusal = !stopped && code !== null && code !== 126 && code !== 127
  return { proved: isRefusal ? 'no' : 'unknown', reason: wordsOf(errors) }
}

function trialOf(frames: Uint8Array): ToneMapTrial {
  if (frames.length !== FRAMES * FRAME_BYTES) return { proved: 'no', reason: 'It makes no frames' }
  const grey = frames[0] ?? 0
  const isGrey = grey >= LEAST_GREY && grey <= MOST_GREY
  const isEven = frames.every((value, at) => Math.abs(value - (at % FRAME_BYTES < SIDE * SIDE ? grey : NEUTRAL)) <= MOST_OFF)
  return isGrey && isEven ? { proved: 'yes', reason: '' } : { proved: 'no', reason: 'It makes wrong colours' }
}

const wordsOf = (errors: string): string => (errors.split('\n')[0] || 'It was stopped').slice(0, 300)
