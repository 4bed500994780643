/**
 * Tests an encoder: scales and encodes a short test video with the arguments used for films. It reports whether this machine can do it, how
 * fast, and whether the output matches its playlist entry and has keyframes at segment starts. The test runs at the lowest priority.
 */
import { availableParallelism } from 'node:os'
import type { ProvedEncoder } from '../src/app/streaming/agents/agent-protocol.ts'
import { encodedCodec, isHardware } from '../src/domain/streaming/encoders.ts'
import type { Encoder } from '../src/vocabulary/encoder.ts'
import { generatedInput } from '../src/ffmpeg/inputs.ts'
import { cpuSecondsOf } from '../src/ffmpeg/cpu-time.ts'
import { startFfmpeg, type Exit } from '../src/ffmpeg/process.ts'
import type { Clock } from '../src/ports/clock.ts'
import { deviceArguments, encoderComplaint } from './encoder-arguments.ts'
import { frameArguments } from './ffmpeg-arguments.ts'
import { watchTestFrames, type TestFrames } from './test-frames.ts'
import { NO_CAPABILITIES, type VideoOutput, type Work } from './work.ts'

export type Proof =
  | { readonly type: 'proved'; readonly encoder: ProvedEncoder }
  /** The encoder demonstrably fails. */
  | { readonly type: 'disproved'; readonly why: string }
  /** The test was cut short, by load or by an interruption: the previous result may still hold. */
  | { readonly type: 'undecided'; readonly why: string }

/** @throws the signal's reason */
export type Prove = (encoder: Encoder, signal: AbortSignal) => Promise<Proof>

export interface ProofOptions {
  readonly ffmpegPath: string
  readonly clock: Clock
  /** Replaces the default limit, which allows for a slow machine. */
  readonly limitMs?: number
}

/** Two seconds of video take less than one second on a machine of 2020, and ten on a small board. */
const LIMIT_MS = 20_000
const TEST_FILM = [...generatedInput('testsrc2=size=1920x1080:rate=25:duration=2'), '-copyts']
const FRAMES = 50
const FRAME_MS = 40
/** Unevenly spaced, so that an encoder's own keyframe interval does not match them by chance. */
const STARTS_MS = [0, 600, 1_360]
const SAYING = ['-v', 'info', '-benchmark', '-hide_banner', '-nostdin', '-nostats']
const LEVEL = '3.1'

const OUTPUT = {
  type: 'encode-video',
  width: 1280,
  height: 720,
  maxBitrateBps: 4_500_000,
  level: LEVEL,
  deinterlace: false,
  toneMap: null,
  framesPerSecond: null,
  cadence: { numerator: 25, denominator: 1, startMs: 0 },
} as const
const WORK = {
  stream: 0,
  zeroMs: 0,
  seekMs: null,
  startsMs: STARTS_MS,
  endMs: FRAMES * FRAME_MS,
  input: { type: 'path', path: '' },
} as const

export function createProof({ ffmpegPath, clock, limitMs = LIMIT_MS }: ProofOptions): Prove {
  return async (encoder, signal) => {
    signal.throwIfAborted()
    const ffmpeg = startFfmpeg(ffmpegPath, argumentsOf(encoder), { work: 'encode', behind: true })
    let late: Late | undefined
    const kill = (): void => ffmpeg.kill()
    const disarm = clock.after(limitMs, () => {
      late = { why: `It made too little in ${limitMs / 1000} seconds`, cpuSeconds: cpuSecondsOf(ffmpeg.pid) }
      kill()
    })
    signal.addEventListener('abort', kill)
    try {
      const frames = await watchTestFrames(ffmpeg.output, clock)
      const exit = await ffmpeg.exited
      signal.throwIfAborted()
      return proofOf(encoder, frames, { exit, late })
    } finally {
      disarm()
      signal.removeEventListener('abort', kill)
      kill()
      await ffmpeg.exited
    }
  }
}

function argumentsOf(encoder: Encoder): readonly string[] {
  const output: VideoOutput = { ...OUTPUT, encoder }
  const work: Work = { ...WORK, output }
  return [...SAYING, ...deviceArguments(encoder), ...TEST_FILM, ...frameArguments(work, output, NO_CAPABILITIES), 'pipe:1']
}

interface Ended {
  readonly exit: Exit
  /** Set if the time limit passed. */
  readonly late: Late | undefined
}

interface Late {
  readonly why: string
  /** What it had used by then: it is ended without its own report. */
  readonly cpuSeconds: number | undefined
}

/** If the test ran out of time, the frames that did come show that the encoder works. */
function proofOf(encoder: Encoder, frames: TestFrames, ended: Ended): Proof {
  const { exit, late } = ended
  if (late === undefined && exit.code !== 0) {
    return { type: isConclusive(exit) ? 'disproved' : 'undecided', why: lastWords(exit) }
  }
  if (frames.count === 0 || frames.codec === undefined) {
    return late === undefined ? { type: 'disproved', why: 'It makes nothing' } : { type: 'undecided', why: late.why }
  }
  const codec = encodedCodec(encoder, LEVEL)
  if (frames.codec !== codec) return { type: 'disproved', why: `It writes ${frames.codec} although ${codec} is requested` }
  const isWhole = late !== undefined || frames.count === FRAMES
  if (!isWhole) return { type: 'disproved', why: `Of ${FRAMES} frames it makes ${frames.count}` }
  const asked = STARTS_MS.filter((startMs) => startMs < frames.count * FRAME_MS)
  if (frames.beginsMs.join() !== asked.join())
    return { type: 'disproved', why: 'It does not start a keyframe exactly where it is asked to' }
  return { type: 'proved', encoder: { name: encoder, framesPerSecond: Math.round(frames.count / secondsOf(encoder, frames, ended)) } }
}

/** CPU time, which is the same under load; for a hardware encoder the elapsed time if that is longer. */
function secondsOf(encoder: Encoder, { tookMs }: TestFrames, { exit, late }: Ended): number {
  const took = Math.max(0.01, tookMs / 1000)
  const cpuSeconds = late ? late.cpuSeconds : reportedCpuSeconds(exit.errors)
  // What the work would take on an idle machine.
  const work = cpuSeconds === undefined ? took : Math.max(0.01, cpuSeconds / availableParallelism())
  return isHardware(encoder) ? Math.max(work, took) : work
}

/** The program exited by itself, or does not exist. */
const isConclusive = ({ code, errors }: Exit): boolean => code !== null || /ENOENT|EACCES/.test(errors)

function lastWords({ code, signal, errors }: Exit): string {
  const last = errors.split('\n').findLast((line) => !line.startsWith('bench:'))
  return encoderComplaint(errors) ?? (last || `It ended with ${signal ?? code}`)
}

function reportedCpuSeconds(output: string): number | undefined {
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(output) ?? []
  return user && system ? Number(user) + Number(system) : undefined
}
