/** Builds ffprobe's and ffmpeg's arguments for one read of a film: every purpose except making segments. */
import { channelLayoutOf } from '../src/domain/streaming/channel-layout.ts'
import type { AudioTrack } from '../src/vocabulary/media-description.ts'
import {
  loudnessName,
  FRAME_OFFSET_MS,
  SURROUND_CHANNELS,
  type MediaRead,
  type ReadVideo,
  type ReadText,
} from '../src/ports/media-reads.ts'
import type { FrameProbe } from './frame-probe.ts'
import { audioFilters } from './audio-filters.ts'

export interface ReadArguments {
  /** The film's input, preceded by its own options. */
  readonly input: (options?: readonly string[]) => readonly string[]
  /** For reads that make thumbnails. */
  readonly look: FrameProbe
}

type Read<Type extends MediaRead['type']> = Extract<MediaRead, { readonly type: Type }>
type Input = ReadArguments['input']

const PROBES: ReadonlySet<MediaRead['type']> = new Set(['describe', 'first-audio-packets', 'video-packets', 'packets-between'])
/** Whether ffprobe does the read. */
export const isProbe = ({ type }: MediaRead): boolean => PROBES.has(type)

/** @throws Error this machine cannot show the film's colours */
export async function readArguments(read: MediaRead, { input, look }: ReadArguments): Promise<readonly string[]> {
  switch (read.type) {
    case 'describe':
      return probe(input, DESCRIBE)
    case 'first-audio-packets':
      return probe(input, [...PACKETS, '-select_streams', 'a:0', '-read_intervals', `%+#${FIRST_AUDIO_PACKETS}`])
    case 'video-packets':
      return probe(input, [...PACKETS_AND_CODEC, '-select_streams', 'V:0'])
    case 'packets-between':
      return probe(input, [...TIMES, '-read_intervals', `${read.fromMs / 1000}%${read.toMs / 1000}`])
    case 'cover':
      return still(input, COVER)
    case 'frame':
      return still(input, { seek: ['-ss', (read.atMs / 1000).toFixed(3)], map: ['-map', '0:V:0'], widthMax: 1280 })
    case 'texts':
      return texts(input, read)
    case 'text-stretch':
      return textStretch(input, read)
    case 'loudness':
      return loudness(input, read)
    default:
      return frames(input, read, await look(read.mediaFile))
  }
}

const probe = (input: Input, options: readonly string[]): readonly string[] => ['-v', 'error', ...input(options)]

const STREAM =
  'index,codec_name,codec_type,profile,level,width,height,pix_fmt,sample_aspect_ratio,avg_frame_rate,r_frame_rate,field_order,' +
  'bits_per_raw_sample,color_transfer,color_primaries,color_space,color_range,bit_rate,channels,channel_layout,sample_rate,start_time,duration'

const DESCRIBE: readonly string[] = [
  '-of',
  'json',
  '-show_entries',
  [
    'format=format_name,start_time,duration,bit_rate',
    `stream=${STREAM}`,
    'stream_tags=language,title,rotate,BPS,BPS-eng,DURATION,DURATION-eng',
    'stream_disposition=default,forced,hearing_impaired,attached_pic,timed_thumbnails',
    'stream_side_data=side_data_type,rotation,dv_profile,dv_level,dv_bl_signal_compatibility_id,el_present_flag',
    'chapter=start_time',
    'chapter_tags=title',
  ].join(':'),
]
/** Priming packets are one or two; an edit can put up to a second of packets before its start. */
const FIRST_AUDIO_PACKETS = 100
const PACKET = 'packet=pts_time,dts_time,duration_time,pos,flags'
const PACKETS = ['-of', 'csv=p=0', '-show_entries', PACKET]
const PACKETS_AND_CODEC = ['-of', 'csv=p=0', '-show_entries', `${PACKET}:stream=codec_name`]
const TIMES = ['-of', 'csv=p=0', '-show_entries', 'packet=codec_type,pts_time,duration_time']

const QUIET = ['-v', 'error', '-nostdin']
const LARGEST_FRAME = ['-max_pixels', '50000000']

interface Still {
  /** Options before the film choose the position; those after it choose the streams. */
  readonly seek: readonly string[]
  readonly map: readonly string[]
  readonly widthMax: number
}

/** Attached images: all video streams except the regular ones. If there are several, the first one's JPEG comes first. */
const COVER: Still = { seek: [], map: ['-map', '0:v', '-map', '-0:V'], widthMax: 2000 }

/** Decoded and re-encoded here in any case, so that the output is a valid JPEG. */
function still(input: Input, { seek, map, widthMax }: Still): readonly string[] {
  const scale = `scale='min(${widthMax},iw*sar)':-2,setsar=1,format=yuvj420p`
  const output = ['-frames:v', '1', '-vf', scale, '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2pipe', 'pipe:1']
  return [...QUIET, ...input([...LARGEST_FRAME, ...seek]), ...map, ...output]
}

const TEXT_PIPE = ['-avoid_negative_ts', 'disabled', '-max_interleave_delta', '1000', '-flush_packets', '1', '-f', 'matroska', 'pipe:1']
const codecOf = ({ as }: ReadText, index: number): readonly string[] => [`-c:s:${index}`, as]

function texts(input: Input, { tracks, readRate }: Read<'texts'>): readonly string[] {
  const rate = readRate === null ? [] : ['-readrate', String(readRate)]
  const maps = tracks.flatMap(({ stream }) => ['-map', `0:${stream}`])
  return [...QUIET, ...rate, '-copyts', ...input(), ...maps, ...tracks.flatMap(codecOf), ...TEXT_PIPE]
}

function textStretch(input: Input, { track, seekMs, toMs, pacer }: Read<'text-stretch'>): readonly string[] {
  const seek = seekMs === null ? [] : ['-ss', (seekMs / 1000).toFixed(3)]
  const paced = pacer === null ? ['-to', (toMs / 1000).toFixed(3)] : ['-map', `0:${pacer}`, '-c:a', 'copy', '-c:v', 'copy']
  const output = ['-map', `0:${track.stream}`, ...codecOf(track, 0), ...paced, '-cluster_time_limit', '500', ...TEXT_PIPE]
  return [...QUIET, ...seek, '-copyts', ...input(), ...output]
}

const seconds = (ms: number): string => (ms / 1000).toFixed(6)
const ONE_BY_ONE = '-threads 1 -copyts'.split(' ')
/** A JPEG carries no colour metadata: its colours are those of JFIF. */
const JPEG_COLOURS = ['scale=out_color_matrix=bt601:out_range=pc', 'setsar=1', 'format=yuvj420p']
const JPEGS = '-fps_mode passthrough -enc_time_base 1:90000 -c:v mjpeg -q:v 2 -map_metadata -1 -map_chapters -1'.split(' ')
const FRAME_PIPE = '-avoid_negative_ts disabled -flush_packets 1 -f matroska pipe:1'.split(' ')

type Look = Awaited<ReturnType<FrameProbe>>

function frames(input: Input, read: Read<'keyframes'> | Read<'picture-from'>, look: Look): readonly string[] {
  const mediaFile = [...ONE_BY_ONE, ...input(LARGEST_FRAME)]
  if (read.type === 'keyframes') {
    const through = ['-readrate', String(read.readRate), '-skip_frame', 'nokey', ...mediaFile]
    return [...QUIET, ...look.needs, ...through, ...jpegs(read.mediaFile, 'select=eq(key\\,1)', look)]
  }
  const { fromMs, toMs, seekMs } = read
  const seek = seekMs === null ? [] : ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', seconds(seekMs)]
  const trim = `trim=start=${seconds(fromMs)}:end=${seconds(toMs)}`
  return [...QUIET, ...look.needs, ...seek, ...mediaFile, '-frames:v', '1', ...jpegs(read.mediaFile, trim, look)]
}

function jpegs({ track }: ReadVideo, first: string, { filters }: Look): readonly string[] {
  // One field of interlaced frames: frames that lie seconds apart leave nothing to interpolate.
  const field = track.interlaced ? ['field=type=top'] : []
  const all = [first, ...field, ...filters, ...JPEG_COLOURS].join(',')
  const offset = ['-output_ts_offset', String(FRAME_OFFSET_MS / 1000)]
  return ['-map', `0:${track.stream}`, '-vf', all, ...JPEGS, ...offset, ...FRAME_PIPE]
}

/** Loudness is measured on exactly the mix that players get. */
const playedFilters = (track: AudioTrack, channels: number): readonly string[] =>
  audioFilters({ channels, ...(track.channels > 2 ? { mixedFrom: channelLayoutOf(track) } : {}) })

function loudness(input: Input, { audio, readRate, mostSeconds }: Read<'loudness'>): readonly string[] {
  const forms = audio.map((track) => [
    Math.min(2, Math.max(1, track.channels)),
    ...(track.channels >= SURROUND_CHANNELS ? [SURROUND_CHANNELS] : []),
  ])
  const graph = audio.flatMap((track, at) => {
    const into = forms[at]!.map((channels) => `[${loudnessName(track.stream, channels)}in]`).join('')
    const meters = forms[at]!.map((channels) => {
      const name = loudnessName(track.stream, channels)
      // Mono is heard from both loudspeakers.
      const meter = `ebur128@${name}=peak=true:framelog=verbose${channels === 1 ? ':dualmono=true' : ''}`
      return `[${name}in]${[...playedFilters(track, channels), 'aresample=48000', meter].join(',')}[${name}]`
    })
    return [`[0:${track.stream}]asplit=${forms[at]!.length}${into}`, ...meters]
  })
  const outputs = audio.flatMap(({ stream }, at) =>
    forms[at]!.flatMap((channels) => ['-map', `[${loudnessName(stream, channels)}]`, '-f', 'null', '-']),
  )
  const part = mostSeconds === null ? [] : ['-t', String(mostSeconds)]
  const mediaFile = [...part, ...input(['-readrate', String(readRate)])]
  return ['-v', 'info', '-hide_banner', '-nostdin', '-nostats', ...mediaFile, '-filter_complex', graph.join(';'), ...outputs]
}
