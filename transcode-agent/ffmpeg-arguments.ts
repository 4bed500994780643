/**
 * Arguments of ffmpeg for a job. Made here only, out of enums and numbers; the one text that comes from outside is the film's
 * path, which is always the argument of `-i` and behind a protocol's name. Measured to be seamless at every start (streaming 3.2).
 */
import type { Output } from '../src/domain/streaming/rendition.ts'
import { TOLERANCE_MS } from '../src/domain/streaming/grid.ts'
import type { FilmInput } from './open-film.ts'

export interface Work {
  readonly input: FilmInput
  /** Index of the stream in the file. */
  readonly stream: number
  readonly output: Output
  /** Zero of the output timeline as a timestamp of the file. */
  readonly zeroMs: number
  /** Where to read from, a timestamp of the file; null is its start. */
  readonly seekMs: number | null
  /** Starts of the segments to make, and the film's end, on the output timeline. */
  readonly startsMs: readonly number[]
  readonly endMs: number
}

export interface Capabilities {
  /** The zscale filter, for tone mapping. */
  readonly zscale: boolean
}

const FRAGMENTS = '+empty_moov+default_base_moof+delay_moov+frag_discont+negative_cts_offsets'
/** Demuxers a film may need; none of those that open other files by themselves (hls, concat, dash). */
const DEMUXERS = 'matroska,mov,avi,mpeg,mpegts,mpegvideo,ogg,asf,flv,live_flv,rm,mxf,nut,gxf,dv,wtv,ivf,obu,h264,hevc,m4v,vc1,nsv,pva,ty'
/** What the film's demuxer may open. */
const FROM_PATH = ['-protocol_whitelist', 'file,pipe']
/** The proxy of this process: never by way of another one, which the environment may name. */
const FROM_PROXY = ['-protocol_whitelist', 'http,tcp', '-http_proxy', '', '-seekable', '1']
const VIDEO_TIMESCALE = 90_000
/** Some builds hold FLAC in MP4 for an experiment. */
const COPY = ['-c', 'copy', '-strict', 'experimental']
/** One sound fragment holds a second. */
const SOUND_FRAGMENT_US = 1_000_000
/** Frames of 1024 samples before the wanted ones, so that the encoder is under way when they come. */
const RUN_UP_FRAMES = 4
const AAC_FRAME_SAMPLES = 1024

export function ffmpegArguments(work: Work, capabilities: Capabilities): readonly string[] {
  return ['-v', 'error', '-hide_banner', '-nostdin', '-nostats', ...inputOf(work), ...outputOf(work, capabilities), 'pipe:1']
}

function inputOf({ input, stream, seekMs, output }: Work): readonly string[] {
  const seek = seekMs === null ? [] : ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', seconds(seekMs)]
  const copies = output.type === 'copy-video' || output.type === 'copy-audio'
  return [
    ...seek,
    ...(input.type === 'path' ? FROM_PATH : FROM_PROXY),
    '-format_whitelist',
    DEMUXERS,
    ...(copies ? ['-fflags', '+genpts'] : []),
    '-i',
    input.type === 'path' ? `file:${input.path}` : input.url,
    '-map',
    `0:${stream}`,
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-copyts',
  ]
}

function outputOf(work: Work, capabilities: Capabilities): readonly string[] {
  const { output } = work
  if (output.type === 'copy-video') return [...COPY, ...(output.tag ? ['-tag:v', output.tag] : []), ...mp4('+frag_keyframe')]
  if (output.type === 'copy-audio') return [...COPY, ...(output.adts ? ['-bsf:a', 'aac_adtstoasc'] : []), ...soundMp4()]
  if (output.type === 'encode-audio') return [...aac(work, output), ...soundMp4()]
  return [...x264(work, output, capabilities), ...mp4('+frag_every_frame')]
}

const mp4 = (more: string): readonly string[] => ['-avoid_negative_ts', 'disabled', '-f', 'mp4', '-movflags', FRAGMENTS + more]
const soundMp4 = (): readonly string[] => [...mp4(''), '-frag_duration', String(SOUND_FRAGMENT_US)]

type VideoOutput = Extract<Output, { readonly type: 'encode-video' }>
type AudioOutput = Extract<Output, { readonly type: 'encode-audio' }>

function x264(work: Work, output: VideoOutput, capabilities: Capabilities): readonly string[] {
  const options: readonly (readonly [name: string, value: string])[] = [
    ['-vf', videoFilters(work, output, capabilities).join(',')],
    ['-fps_mode', 'passthrough'],
    ['-enc_time_base', `1:${VIDEO_TIMESCALE}`],
    ['-video_track_timescale', String(VIDEO_TIMESCALE)],
    ['-c:v', 'libx264'],
    ['-preset', 'veryfast'],
    ['-crf', '23'],
    ['-maxrate', String(output.maxBitrateBps)],
    ['-bufsize', String(Math.round(output.maxBitrateBps * 1.5))],
    ['-profile:v', 'high'],
    ['-level:v', output.level],
    ['-pix_fmt', 'yuv420p'],
    ['-sc_threshold', '0'],
    ['-g', '600'],
    ['-forced-idr', '1'],
    ['-force_key_frames', keyframes(work)],
  ]
  return [...options.flat(), ...saysItsRate(output)]
}

/** The encoder's clock of 90 kHz would else be taken for the frame rate by players that look into the stream. Ticks are fields. */
function saysItsRate({ cadence }: VideoOutput): readonly string[] {
  return cadence === null ? [] : ['-bsf:v', `h264_metadata=tick_rate=${cadence.numerator * 2}/${cadence.denominator}`]
}

/**
 * The first picture at or after each boundary. Listed one by one: in an expression the time would count from the run's first
 * picture, which is where the run happens to begin.
 */
function keyframes({ zeroMs, startsMs }: Work): string {
  return startsMs.map((startMs) => ((zeroMs + startMs - TOLERANCE_MS) / 1000).toFixed(3)).join(',')
}

function videoFilters(work: Work, output: VideoOutput, capabilities: Capabilities): readonly string[] {
  const startMs = firstStart(work)
  const fromMs = work.zeroMs + startMs - TOLERANCE_MS
  return [
    ...(output.deinterlace ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    ...(startMs > 0 ? [`trim=start=${seconds(fromMs)}`] : []),
    ...(output.framesPerSecond === null ? [] : [`fps=${output.framesPerSecond}:start_time=${seconds(fromMs + TOLERANCE_MS)}`]),
    ...scaleFilters(output, capabilities),
    'setsar=1',
    'format=yuv420p',
  ]
}

function scaleFilters({ width, height, toneMap }: VideoOutput, { zscale }: Capabilities): readonly string[] {
  if (toneMap === null || !zscale) return [`scale=${width}:${height}:flags=bicubic`]
  const transfer = toneMap === 'pq' ? 'smpte2084' : 'arib-std-b67'
  return [
    `zscale=w=${width}:h=${height}:tin=${transfer}:pin=bt2020:min=bt2020nc:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=limited',
  ]
}

/** Sound on a grid of whole AAC frames that begins at the output timeline's zero; silence where the film has none. */
function aac(work: Work, { channels, bitrateBps, sampleRate }: AudioOutput): readonly string[] {
  const ticks = (ms: number) => Math.round((ms * sampleRate) / 1000)
  const first = frameBoundary(firstStart(work), sampleRate) - RUN_UP_FRAMES * AAC_FRAME_SAMPLES
  const filters = [
    `aresample=${sampleRate}`,
    `aresample=async=1:first_pts=${ticks(work.zeroMs) + first}`,
    'apad',
    `atrim=end_pts=${ticks(work.zeroMs) + ticks(work.endMs)}`,
  ]
  return ['-af', filters.join(','), '-ac', String(channels), '-ar', String(sampleRate), '-c:a', 'aac', '-b:a', String(bitrateBps)]
}

/** The start of a frame that is nearest to a moment. */
export function frameBoundary(ms: number, sampleRate: number, frameSamples = AAC_FRAME_SAMPLES): number {
  return Math.round((ms * sampleRate) / 1000 / frameSamples) * frameSamples
}

const firstStart = ({ startsMs }: Work): number => startsMs[0] ?? 0
const seconds = (ms: number): string => (ms / 1000).toFixed(6)
