/**
 * Runs one job: starts ffmpeg for a job spec, cuts its output into segments and sends them to the owner. It reads no further than the
 * owner's credit allows, so back-pressure stops ffmpeg at its pipe.
 */
import { segmentCount, startOf } from '../src/domain/streaming/segment-grid.ts'
import type { JobSpec } from '../src/app/streaming/agents/agent-protocol.ts'
import type { Output } from '../src/domain/streaming/rendition.ts'
import type { Encoder } from '../src/vocabulary/encoder.ts'
import { MAX_BODY_BYTES } from '../src/ports/bus.ts'
import type { Clock } from '../src/ports/clock.ts'
import { createAudioSegmenter } from './audio-segmenter.ts'
import { joined, MalformedMp4, readBoxes, type Box } from './box-stream.ts'
import type { Cut, Segmenter } from './segmenter.ts'
import { ffmpegArguments } from './ffmpeg-arguments.ts'
import { startFfmpeg, type Exit, type FfmpegProcess, type OrphanGuard } from '../src/ffmpeg/process.ts'
import { samplesOf, type Sample } from './fragment.ts'
import { circuitComplaint, isByHardware, outcomeOf, REASON_MAX_CHARACTERS, type Ended, type JobEnd } from './job-outcome.ts'
import { initSegment, type InitSegment } from './init-segment.ts'
import type { MediaInput } from '../src/ffmpeg/inputs.ts'
import { opusLengths } from './opus-packet.ts'
import type { RecordSender } from './record-sender.ts'
import type { AttachmentFiles } from './job-attachments.ts'
import { SBR_FRAME_SAMPLES, SILENT_OPUS_SAMPLES, silenceOf, silentMoov } from './silence.ts'
import { isRepeat } from './repeated-frames.ts'
import { untilStalled } from './stall-watchdog.ts'
import { createVideoSegmenter } from './video-segmenter.ts'
import type { Capabilities, Work } from './work.ts'

export interface JobOptions {
  readonly spec: JobSpec
  readonly input: MediaInput
  readonly program: string
  readonly guard: OrphanGuard
  readonly capabilities: Capabilities
  readonly attachment?: AttachmentFiles | undefined
  readonly sender: RecordSender
  readonly clock: Clock
  readonly signal: AbortSignal
  /** A hardware encoder or its driver has failed; the film is not the cause. */
  readonly encoderFailed?: (encoder: Encoder, why: string) => void
}

interface Progress {
  readonly options: JobOptions
  /** The segment after the last one reported. */
  next: number
  segmenter: Segmenter | undefined
  /** Made while ffmpeg opens the film. */
  readonly silence: Promise<Uint8Array | undefined>
  /** Time spent waiting for credit and room in the window; left out of the measured speed. */
  waitedMs: number
  since: number
}

/** The starts must fit into one argument of 128 KiB; 4.4 hours of transcoding. */
const MAX_RUN_SEGMENTS = 8_000
/** If the demuxer lands after the seek target, one retry seeks this much further back. */
const FURTHER_BACK_MS = 20_000
/**
 * Timeouts without a frame while the owner waits for one. A hardware encoder may hang with its driver, and another agent can take over;
 * with the software encoder the film or the machine may just be slow.
 */
const STUCK_MS = { hardware: { firstMs: 60_000, nextMs: 30_000 }, software: { firstMs: 180_000, nextMs: 120_000 } }

/** Settles when the film's end was reached and reported. @throws the reason of an earlier end */
export async function runJob(options: JobOptions): Promise<void> {
  const { spec, sender } = options
  const silence = silenceOf(options.program, spec.output)
  const since = options.clock.monotonic()
  const progress: Progress = { options, next: spec.startSegment, segmenter: undefined, silence, waitedMs: 0, since }
  let exit: Ended | 'landed-late' = 'landed-late'
  for (const one of attemptsFor(spec)) if (exit === 'landed-late') exit = await attempt(progress, one)
  if (exit !== 'landed-late') await sender.send({ type: 'ended', ...endOf(options, exit) })
  await sender.drained()
}

/** Seeks as far back as the film's start: the last frame shown stands until the next one comes, and audio that has ended is silent. */
function attemptsFor(spec: JobSpec): readonly Attempt[] {
  const seeks = [spec.seekMs, furtherBack(spec), null]
  const different = seeks.filter((seekMs, index) => index === 0 || seekMs !== seeks[index - 1])
  const first = { seekMs: spec.seekMs, mayLandLate: spec.seekMs === null && spec.startSegment === 0, isFirst: true }
  if (first.mayLandLate) return [first]
  const further = different.slice(1).length > 0 ? different.slice(1) : [null]
  return [first, ...further.map((seekMs, index) => ({ seekMs, mayLandLate: index === further.length - 1, isFirst: false }))]
}

function furtherBack({ seekMs, zeroMs }: JobSpec): number | null {
  return seekMs === null || seekMs - FURTHER_BACK_MS <= zeroMs ? null : seekMs - FURTHER_BACK_MS
}

/** If a hardware encoder failed, another agent may take over. */
function endOf({ spec: { output }, encoderFailed }: JobOptions, exit: Ended): JobEnd {
  const complaint = circuitComplaint(output, exit)
  if (output.type !== 'encode-video' || complaint === undefined) return outcomeOf(exit)
  encoderFailed?.(output.encoder, complaint)
  return { outcome: 'left', reason: `${output.encoder} failed: ${complaint}`.slice(0, REASON_MAX_CHARACTERS) }
}

const isLate = (cuts: readonly Cut[], { startSegment }: JobSpec): boolean =>
  cuts.some((cut) => cut.type === 'missing' && cut.from === startSegment)
const isSbr = (output: Output): output is Extract<Output, { readonly type: 'copy-audio' }> =>
  output.type === 'copy-audio' && output.codec === 'aac' && output.frameSamples === SBR_FRAME_SAMPLES

const DONE: Ended = { code: 0, signal: null, errors: '' }

interface Attempt {
  readonly seekMs: number | null
  /** No other seek is left to try: the film begins later, or is damaged there. */
  readonly mayLandLate: boolean
  readonly isFirst: boolean
}

async function attempt(progress: Progress, attempted: Attempt): Promise<Ended | 'landed-late'> {
  const { options } = progress
  const { spec, program, guard, capabilities } = options
  const ffmpeg = startFfmpeg(program, ffmpegArguments(workOf(options, attempted), capabilities), { work: 'encode', guard })
  const kill = (): void => ffmpeg.kill()
  options.signal.addEventListener('abort', kill)
  try {
    options.signal.throwIfAborted()
    let stuck: string | undefined
    const onStuck = (afterMs: number): void => {
      stuck = `gave nothing for ${afterMs / 1000} seconds`
      kill()
    }
    progress.segmenter = undefined
    const { mayLandLate } = attempted
    const read = await readOutput(progress, boxesOf(ffmpeg, options, onStuck), mayLandLate)
    if (read === 'landed-late') return read
    if (read === 'enough') return DONE
    if (read === 'no-packet') return mayLandLate ? await sendSilence(progress) : 'landed-late'
    const exit = { ...(await ffmpeg.exited), stuck }
    options.signal.throwIfAborted()
    const isSilent = mayLandLate && exit.code === 0 && !progress.segmenter && spec.output.type === 'copy-audio'
    if (isSilent) return await sendSilence(progress)
    // If a film ends early, its missing segments are reported; not so if the encoder failed.
    if (exit.signal === null && circuitComplaint(options.spec.output, exit) === undefined) {
      const cuts = atEnd(progress, exit)
      if (!mayLandLate && exit.code === 0 && isLate(cuts, options.spec)) return 'landed-late'
      await send(progress, cuts)
    }
    return exit
  } finally {
    options.signal.removeEventListener('abort', kill)
    ffmpeg.kill()
    await ffmpeg.exited
  }
}

/** No output and no error: the film ends before the first segment. */
function atEnd({ segmenter, options: { spec } }: Progress, exit: Exit): readonly Cut[] {
  if (segmenter) return segmenter.end()
  return exit.code === 0 ? [{ type: 'missing', from: spec.startSegment, through: segmentCount(spec.grid) - 1 }] : []
}

function workOf({ spec, input, attachment }: JobOptions, { seekMs, isFirst }: Attempt): Work {
  const count = runEnd(spec) - spec.startSegment
  const startsMs = Array.from({ length: count }, (_, index) => startOf(spec.grid, spec.startSegment + index))
  return { ...spec, input, sizeBytes: spec.source.sizeBytes, attachment, seekMs, decodesAll: !isFirst, startsMs, endMs: spec.grid.endMs }
}

/** The segment after the last one that this run makes. */
const runEnd = ({ grid, startSegment }: JobSpec): number => Math.min(segmentCount(grid), startSegment + MAX_RUN_SEGMENTS)

/** Copied tracks and audio may have long pauses, so only encoded video is watched. */
function boxesOf({ output }: FfmpegProcess, { spec, clock }: JobOptions, stuck: (afterMs: number) => void): AsyncIterable<Box> {
  const boxes = readBoxes(output)
  if (spec.output.type !== 'encode-video') return boxes
  const limits = isByHardware(spec.output) ? STUCK_MS.hardware : STUCK_MS.software
  return untilStalled(boxes, { clock, ...limits, stuck })
}

/**
 * Handles a copied track without a single packet from the start of this attempt: sends silence in the track's format up to the film's end.
 */
async function sendSilence(progress: Progress): Promise<Ended> {
  const { spec, program, signal } = progress.options
  const moov = spec.output.type === 'copy-audio' ? await silentMoov(program, spec.output) : undefined
  signal.throwIfAborted()
  if (!moov) return { ...DONE, code: 1, errors: 'The track has no packets, and ffmpeg cannot make silence in its codec' }
  await begin(progress, moov, true)
  await send(progress, progress.segmenter?.end() ?? [])
  return DONE
}

type ReadResult = 'landed-late' | 'enough' | 'read' | 'no-packet'

async function readOutput(progress: Progress, boxes: AsyncIterable<Box>, mayLandLate: boolean): Promise<ReadResult> {
  const { options } = progress
  let samples: readonly Sample[] = []
  try {
    for await (const box of boxes) {
      if (box.type === 'moov') await begin(progress, joined(box.payload), mayLandLate)
      if (box.type === 'moof') samples = samplesOf(joined(box.payload))
      if (box.type !== 'mdat' || !progress.segmenter) continue
      const cuts = progress.segmenter.push({ samples, data: box.payload })
      if (!mayLandLate && isLate(cuts, options.spec)) return 'landed-late'
      await send(progress, cuts)
      if (progress.next >= runEnd(options.spec)) return 'enough'
    }
  } catch (error) {
    // If the job's end closed the pipe, throw the job's reason.
    options.signal.throwIfAborted()
    // Without a packet ffmpeg cannot write a header for AC-3 and others: it writes a file without one.
    if (error instanceof MalformedMp4 && !progress.segmenter && options.spec.output.type === 'copy-audio') return 'no-packet'
    throw error
  }
  return 'read'
}

async function begin(progress: Progress, moov: Uint8Array, mayLandLate: boolean): Promise<void> {
  const { spec, sender } = progress.options
  const { output } = spec
  const sbrRate = isSbr(output) ? output.sampleRate : undefined
  const init = initSegment(moov, { isDolby: output.type === 'copy-video' && output.tag === 'dvh1', sbrRate })
  progress.segmenter = segmenterFor(spec, init, {
    silence: (await progress.silence) ?? (await silenceOf(progress.options.program, output, init)),
    fromFirst: mayLandLate,
  })
  await sender.send({ type: 'init', codec: init.codec }, init.bytes)
}

interface Beginning {
  readonly silence: Uint8Array | undefined
  readonly fromFirst: boolean
}

function segmenterFor(spec: JobSpec, { timescale, frameSamples, codec }: InitSegment, { silence, fromFirst }: Beginning): Segmenter {
  const { output, grid, zeroMs, startSegment } = spec
  const common = { grid, zeroMs, startSegment, timescale }
  if (output.type === 'encode-audio')
    return createAudioSegmenter({ ...common, frameTicks: 1024, frames: { type: 'made', silence, fromFirst } })
  if (output.type === 'encode-video') return createVideoSegmenter({ ...common, cadence: output.cadence, filling: { isRepeat, fromFirst } })
  if (output.type === 'copy-video') return createVideoSegmenter({ ...common, cadence: output.cadence, isAvc: codec.startsWith('avc1') })
  const samples = output.codec === 'opus' ? SILENT_OPUS_SAMPLES : (output.frameSamples ?? frameSamples)
  const ticks = (count: number): number => Math.round((count * timescale) / output.sampleRate)
  return createAudioSegmenter({
    ...common,
    frameTicks: samples === undefined ? undefined : ticks(samples),
    stated: output.codec === 'opus' ? opusLengths(timescale) : undefined,
    frames: { type: 'copied', anchorMs: output.anchorMs, silence, sbr: isSbr(output) },
  })
}

async function send(progress: Progress, cuts: readonly Cut[]): Promise<void> {
  const { sender, spec } = progress.options
  for (const cut of cuts) {
    const workMs = takeWork(progress)
    const waitingSince = progress.options.clock.monotonic()
    if (cut.type === 'segment') await sendSegment(sender, cut, workMs)
    else await sender.send(cut)
    progress.next = (cut.type === 'segment' ? cut.segment : cut.through) + 1
    if (progress.next < segmentCount(spec.grid)) await sender.credit(startOf(spec.grid, progress.next))
    progress.waitedMs += progress.options.clock.monotonic() - waitingSince
  }
}

/** Time since the last segment, without the time spent waiting for the owner. */
function takeWork(progress: Progress): number {
  const now = progress.options.clock.monotonic()
  const workMs = Math.max(0, now - progress.since - progress.waitedMs)
  progress.since = now
  progress.waitedMs = 0
  return workMs
}

async function sendSegment(sender: RecordSender, cut: Extract<Cut, { readonly type: 'segment' }>, workMs: number): Promise<void> {
  const parts = Math.ceil(cut.bytes.byteLength / MAX_BODY_BYTES)
  for (let part = 0; part < parts; part++) {
    const body = cut.bytes.subarray(part * MAX_BODY_BYTES, (part + 1) * MAX_BODY_BYTES)
    await sender.send({ type: 'segment', segment: cut.segment, part, parts, workMs }, body)
  }
}
