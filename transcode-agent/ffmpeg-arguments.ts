/**
 * Builds ffmpeg's arguments for a job, from enums and numbers. The only external text is the film's path, which `src/ffmpeg/inputs.ts`
 * prefixes with a protocol name. Measured to be seamless at every start.
 */
import { mediaInput } from '../src/ffmpeg/inputs.ts'
import { isGraph, subtitleInput } from './drawn-subtitles.ts'
import { mapperArguments } from './colour-filters.ts'
import { deviceArguments, uploadFilters } from './encoder-arguments.ts'
import { aacArguments } from './audio-arguments.ts'
import { videoArguments } from './video-arguments.ts'
import { videoFilters } from './video-filters.ts'
import { seconds, type Capabilities, type VideoOutput, type Work } from './work.ts'

const FRAGMENTS = '+empty_moov+default_base_moof+delay_moov+frag_discont+negative_cts_offsets'
/** Some builds treat FLAC in MP4 as experimental. */
const COPY = ['-c', 'copy', '-strict', 'experimental']
/** One audio fragment holds a second. */
const AUDIO_FRAGMENT_US = 1_000_000

export function ffmpegArguments(work: Work, capabilities: Capabilities): readonly string[] {
  const { output } = work
  const device = output.type === 'encode-video' ? [...mapperArguments(output.toneMap), ...deviceArguments(output.encoder)] : []
  return ['-v', 'error', '-hide_banner', '-nostdin', '-nostats', ...device, ...inputOf(work), ...outputOf(work, capabilities), 'pipe:1']
}

function inputOf(work: Work): readonly string[] {
  const { stream, seekMs, output } = work
  const copies = output.type === 'copy-video' || output.type === 'copy-audio'
  return [
    ...mediaFrom(work, seekMs, copies ? ['-fflags', '+genpts'] : []),
    ...subtitleInput(work, (fromMs, options) => mediaFrom(work, fromMs, options)),
    ...(output.type === 'encode-video' && isGraph(output) ? [] : ['-map', `0:${stream}`]),
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-copyts',
  ]
}

function mediaFrom({ input }: Work, seekMs: number | null, options: readonly string[]): readonly string[] {
  const seek = seekMs === null ? [] : ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', seconds(seekMs)]
  return mediaInput(input, [...seek, ...options])
}

function outputOf(work: Work, capabilities: Capabilities): readonly string[] {
  const { output } = work
  if (output.type === 'copy-video') return [...COPY, ...(output.tag ? ['-tag:v', 'hvc1'] : []), ...mp4('+frag_keyframe')]
  if (output.type === 'copy-audio') return [...COPY, ...(output.adts ? ['-bsf:a', 'aac_adtstoasc'] : []), ...audioMp4()]
  if (output.type === 'encode-audio') return [...aacArguments(work, output), ...audioMp4()]
  return frameArguments(work, output, capabilities)
}

/** Arguments from the decoded frame to the encoded one. */
export function frameArguments(work: Work, output: VideoOutput, capabilities: Capabilities): readonly string[] {
  const filters = [...videoFilters(work, output, capabilities), ...uploadFilters(output.encoder)]
  const chain = filters.join(',')
  const made = isGraph(output) ? ['-filter_complex', `[0:${work.stream}]${chain}[made]`, '-map', '[made]'] : ['-vf', chain]
  return [...made, ...videoArguments(work, output), ...mp4('+frag_every_frame')]
}

const mp4 = (more: string): readonly string[] => ['-avoid_negative_ts', 'disabled', '-f', 'mp4', '-movflags', FRAGMENTS + more]
const audioMp4 = (): readonly string[] => [...mp4(''), '-frag_duration', String(AUDIO_FRAGMENT_US)]
