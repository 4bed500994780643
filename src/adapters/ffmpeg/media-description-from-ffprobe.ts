/** Maps ffprobe's output to a MediaDescription: pure, so that it can be tested by tables. */
import { languageTag } from '../../vocabulary/language.ts'
import type { AudioTrack, Chapter, DolbyVision, MediaDescription, SubtitleTrack, VideoTrack } from '../../vocabulary/media-description.ts'
import type { FfprobeOutput, FfprobeStream } from './ffprobe-output.ts'
import { isMainVideo } from './not-playable.ts'

export interface ProbedFile {
  readonly name: string
  /** Its first bytes: Matroska and WebM differ only there. */
  readonly head: Uint8Array
  /** The playable length: the container's own is not always right. */
  readonly durationMs: number
}

/** An event is at most 1 MiB; no film comes near these. */
const MAX_TRACKS = 200
const MAX_CHAPTERS = 1000
const MAX_TEXT = 500

export function mediaDescriptionFromFfprobe(output: FfprobeOutput, file: ProbedFile): MediaDescription {
  const streams = output.streams ?? []
  const ofType = (type: string): readonly FfprobeStream[] => streams.filter((stream) => stream.codec_type === type).slice(0, MAX_TRACKS)
  return {
    container: containerOf(output.format?.format_name ?? 'unknown', file),
    durationMs: file.durationMs,
    startMs: exactMilliseconds(output.format?.start_time) ?? 0,
    bitrateBps: number(output.format?.bit_rate),
    video: ofType('video').filter(isMainVideo).map(videoTrack),
    audio: ofType('audio').map(audioTrack),
    subtitles: ofType('subtitle').map(subtitleTrack),
    chapters: (output.chapters ?? []).slice(0, MAX_CHAPTERS).map(chapter),
  }
}

/** The container's duration, else that of the longest stream; null if neither is present. Some count it from 0, some from the start. */
export function durationMsOf({ format, streams = [] }: FfprobeOutput): number | null {
  const longest = Math.max(0, ...streams.map((stream) => milliseconds(stream.duration) ?? 0))
  return milliseconds(format?.duration) ?? (longest > 0 ? longest : null)
}

/** Where the last video or audio track ends, on the clock of the container's duration; null unless the file states it for each of them. */
export function shownEndMsOf({ streams = [] }: FfprobeOutput): number | null {
  const ends = streams.filter((stream) => isMainVideo(stream) || stream.codec_type === 'audio').map(endMsOf)
  const stated = ends.filter((end) => end !== null)
  return stated.length > 0 && stated.length === ends.length ? Math.max(...stated) : null
}

/** Matroska states ends in tags, and ffprobe makes up the durations of its streams. */
function endMsOf({ start_time: start, duration, tags }: FfprobeStream): number | null {
  const tag = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tags?.['DURATION'] ?? tags?.['DURATION-eng'] ?? '')
  if (tag) return Math.round(((Number(tag[1]) * 60 + Number(tag[2])) * 60 + Number(tag[3])) * 1000)
  const durationMs = milliseconds(duration)
  return durationMs === null ? null : (milliseconds(start) ?? 0) + durationMs
}

function containerOf(formatName: string, { name, head }: ProbedFile): string {
  const [first = formatName] = formatName.split(',')
  if (first === 'mov') return 'mp4'
  if (first === 'matroska') return isWebm(head, name) ? 'webm' : 'matroska'
  return first
}

/** Element 0x4282 of the EBML header is the document type; the file's name decides if it is too far away. */
function isWebm(head: Uint8Array, name: string): boolean {
  const text = String.fromCharCode(...head.subarray(0, 64))
  const type = /\x42\x82[\x80-\xff]([a-z]+)/.exec(text)?.[1]
  return (type ?? name.toLowerCase().split('.').at(-1)) === 'webm'
}

function videoTrack(stream: FfprobeStream): VideoTrack {
  const fraction = [stream.avg_frame_rate, stream.r_frame_rate].find((rate) => rateOf(rate) !== null) ?? null
  return {
    stream: stream.index,
    codec: stream.codec_name ?? 'unknown',
    profile: known(stream.profile),
    level: stream.level !== undefined && stream.level >= 0 ? stream.level : null,
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    rotation: rotationOf(stream),
    sampleAspect: /^[1-9]\d*:[1-9]\d*$/.test(stream.sample_aspect_ratio ?? '') ? (stream.sample_aspect_ratio ?? '1:1') : '1:1',
    frameRate: fraction === null ? null : rateOf(fraction),
    frameRateFraction: fraction,
    pixelFormat: known(stream.pix_fmt),
    bitDepth: bitDepthOf(stream),
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order ?? ''),
    hdr: hdrOf(stream),
    colorTransfer: known(stream.color_transfer),
    colorPrimaries: known(stream.color_primaries),
    colorSpace: known(stream.color_space),
    ...colourRangeOf(stream),
    ...dolbyVisionOf(stream),
    bitrateBps: bitrateOf(stream),
  }
}

function audioTrack(stream: FfprobeStream): AudioTrack {
  return {
    stream: stream.index,
    codec: stream.codec_name ?? 'unknown',
    profile: known(stream.profile),
    channels: stream.channels ?? 0,
    channelLayout: known(stream.channel_layout),
    sampleRate: number(stream.sample_rate) ?? 0,
    language: languageOf(stream),
    title: titleOf(stream.tags),
    default: stream.disposition?.['default'] === 1,
    bitrateBps: bitrateOf(stream),
  }
}

function subtitleTrack(stream: FfprobeStream): SubtitleTrack {
  return {
    stream: stream.index,
    path: null,
    codec: stream.codec_name ?? 'unknown',
    language: languageOf(stream),
    title: titleOf(stream.tags),
    forced: stream.disposition?.['forced'] === 1,
    default: stream.disposition?.['default'] === 1,
    hearingImpaired: stream.disposition?.['hearing_impaired'] === 1,
  }
}

function chapter({ start_time, tags }: NonNullable<FfprobeOutput['chapters']>[number]): Chapter {
  return { startMs: milliseconds(start_time) ?? 0, title: titleOf(tags) }
}

/** A display matrix rotates counter-clockwise, the old `rotate` tag clockwise. */
function rotationOf({ side_data_list: sideData, tags }: FfprobeStream): number {
  const matrix = sideData?.find((data) => data.rotation !== undefined)?.rotation
  const clockwise = matrix === undefined ? Number(tags?.['rotate'] ?? 0) : -matrix
  return Number.isFinite(clockwise) ? (((Math.round(clockwise / 90) * 90) % 360) + 360) % 360 : 0
}

/** From the end of the pixel format's name (`yuv420p10le`, `p010le`), else from the codec. */
function bitDepthOf({ pix_fmt: pixelFormat = '', bits_per_raw_sample: raw }: FfprobeStream): number {
  const depth = /(?:p0?|gray|y2|x2rgb)(\d{1,2})(?:le|be)$/.exec(pixelFormat)?.[1]
  return number(depth) ?? (pixelFormat === '' ? number(raw) : null) ?? 8
}

const colourRangeOf = ({ color_range: range }: FfprobeStream): { readonly colorRange?: string } =>
  range === 'tv' || range === 'pc' ? { colorRange: range } : {}

function dolbyVisionOf({ side_data_list: sideData = [] }: FfprobeStream): { readonly dolbyVision?: DolbyVision } {
  for (const {
    dv_profile: profile,
    dv_level: level,
    dv_bl_signal_compatibility_id: compatibilityId,
    el_present_flag: second,
  } of sideData) {
    if (profile === undefined || level === undefined || compatibilityId === undefined) continue
    return { dolbyVision: { profile, level, compatibilityId, ...(second === 1 ? { enhancementLayer: true } : {}) } }
  }
  return {}
}

function hdrOf({ side_data_list: sideData, color_transfer: transfer }: FfprobeStream): string | null {
  if (sideData?.some((data) => data.side_data_type?.startsWith('DOVI configuration'))) return 'dolby-vision'
  if (transfer === 'smpte2084') return 'hdr10'
  return transfer === 'arib-std-b67' ? 'hlg' : null
}

/** Frames a second to three decimals; null for `0/0` and for the rates that ffprobe invents from a clock. */
function rateOf(fraction: string | undefined): number | null {
  const [above = 0, below = 0] = (fraction ?? '').split('/').map(Number)
  const rate = above / below
  return rate > 0 && rate <= 1000 ? Math.round(rate * 1000) / 1000 : null
}

function bitrateOf({ bit_rate: bitrate, tags }: FfprobeStream): number | null {
  return number(bitrate) ?? number(tags?.['BPS'] ?? tags?.['BPS-eng'])
}

function languageOf({ tags }: FfprobeStream): string | null {
  return languageTag(tags?.['language'] ?? '')
}

function titleOf(tags: FfprobeStream['tags']): string | null {
  return tags?.['title']?.trim().slice(0, MAX_TEXT) || null
}

function known(text: string | undefined): string | null {
  return text === undefined || text === '' || text === 'unknown' ? null : text
}

function milliseconds(secondsText: string | undefined): number | null {
  const exact = exactMilliseconds(secondsText)
  return exact === null ? null : Math.round(exact)
}

/** With the microseconds that ffprobe prints: the first frame must not lie in front of the start. */
function exactMilliseconds(secondsText: string | undefined): number | null {
  const seconds = Number.parseFloat(secondsText ?? '')
  return Number.isFinite(seconds) ? Math.round(seconds * 1_000_000) / 1000 : null
}

/** A positive whole number written as text. */
function number(text: string | undefined): number | null {
  const value = Number.parseInt(text ?? '', 10)
  return Number.isSafeInteger(value) && value > 0 ? value : null
}
