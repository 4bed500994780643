/**
 * Writes HLS playlists as text (RFC 8216, Apple's authoring rules). Every URI is relative and carries the stream token, which consists of
 * letters, digits, `-`, `_` and colons and so needs no escaping.
 */
import { audioGroups, type AudioGroup } from './audio-groups.ts'
import { segmentSeconds, targetSeconds, type Grid } from './segment-grid.ts'
import type { StreamPlan } from './plan.ts'
import type { AudioRendition, Rendition, VideoRendition } from './rendition.ts'
import { subtitleLabel } from '../subtitles/subtitle-label.ts'
import { pieceCount, SUBTITLE_PIECE_MS } from '../subtitles/subtitle-segments.ts'

/** A subtitle of the film in the order of its index. */
export interface SubtitleEntry {
  readonly index: number
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  readonly default: boolean
  /** It also describes sounds other than speech. */
  readonly hearingImpaired: boolean
}

export interface MasterContent {
  readonly plan: StreamPlan
  readonly subtitles: readonly SubtitleEntry[]
  /** Codec strings from finished segments, by rendition name; they override the plan's. */
  readonly codecs: ReadonlyMap<string, string>
  readonly token: string
}

/** Slightly more than the sum of the parts: boxes and playlists are transferred too. */
const OVERHEAD = 1.1
const INDEPENDENT = '#EXT-X-INDEPENDENT-SEGMENTS'
/** Apple's players look for this if a person wants captions. */
const FOR_THE_DEAF = 'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound'

export function masterPlaylist(content: MasterContent): string {
  const { plan, subtitles, token } = content
  const groups = audioGroups(plan.audio)
  const named = distinctNames()
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    // In a master playlist the tag applies to all its playlists.
    ...(plan.video.every(({ areIndependent }) => areIndependent) ? [INDEPENDENT] : []),
    ...groups.flatMap(({ id, members }) => members.map((one) => audioLine(one, { group: id, named, token }))),
    ...subtitles.map((one) => subtitleLine(one, { named, token, default: one === subtitles.find((entry) => entry.default) })),
    ...(groups.length > 0 ? groups : [undefined]).flatMap((group) => plan.video.flatMap((one) => variantLines(one, group, content))),
    ...iframeLines(content),
  ]
  return `${lines.join('\n')}\n`
}

/** Audio has no `areIndependent`: each of its frames can be decoded by itself. */
export type Listed = Pick<Rendition, 'grid'> & Partial<Pick<VideoRendition, 'areIndependent'>>

/** `target` is the target duration shared by all playlists of the master. */
export function mediaPlaylist({ grid, areIndependent = true }: Listed, target: number, token: string): string {
  const segments = segmentSeconds(grid).flatMap((seconds, segment) => [
    `#EXTINF:${seconds.toFixed(6)},`,
    `seg-${segment}.m4s?token=${token}`,
  ])
  return vod(target, [...(areIndependent ? [INDEPENDENT] : []), `#EXT-X-MAP:URI="init.mp4?token=${token}"`, ...segments])
}

/** The first frame of each segment. Separate resources, since its byte range is unknown before the segment is made. */
export function iframePlaylist(grid: Grid, target: number, token: string): string {
  const frames = segmentSeconds(grid).flatMap((seconds, segment) => [
    `#EXTINF:${seconds.toFixed(6)},`,
    `iframe-${segment}.m4s?token=${token}`,
  ])
  return vod(target, ['#EXT-X-I-FRAMES-ONLY', `#EXT-X-MAP:URI="init.mp4?token=${token}"`, ...frames])
}

/** Pieces of 60 s; their target duration is longer than that of video and audio, as Apple's rule 5.7 allows. */
export function subtitlePlaylist(index: number, durationMs: number, token: string): string {
  const grid: Grid = { type: 'even', stepMs: SUBTITLE_PIECE_MS, count: pieceCount(durationMs), endMs: durationMs }
  const pieces = segmentSeconds(grid).flatMap((seconds, piece) => [
    `#EXTINF:${seconds.toFixed(6)},`,
    `${index}-${piece}.vtt?token=${token}`,
  ])
  return vod(targetSeconds([grid]), pieces)
}

/** A complete playlist, which never grows. */
export function vod(target: number, lines: readonly string[]): string {
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${target}`, '#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-PLAYLIST-TYPE:VOD']
  return `${[...head, ...lines, '#EXT-X-ENDLIST'].join('\n')}\n`
}

type Named = (group: string, wanted: string) => string

function audioLine(
  one: AudioRendition,
  { group, named, token }: { readonly group: string; readonly named: Named; readonly token: string },
): string {
  return media([
    ['TYPE', 'AUDIO'],
    ['GROUP-ID', quoted(group)],
    ['NAME', quoted(named(group, one.title ?? one.language ?? `Audio ${one.index + 1}`))],
    ['LANGUAGE', quoted(one.language ?? 'und')],
    ['DEFAULT', one.default ? 'YES' : 'NO'],
    ['AUTOSELECT', 'YES'],
    ['CHANNELS', quoted(String(one.channels))],
    ['URI', quoted(`${one.name}/playlist.m3u8?token=${token}`)],
  ])
}

function subtitleLine(one: SubtitleEntry, given: { readonly named: Named; readonly token: string; readonly default: boolean }): string {
  return media([
    ['TYPE', 'SUBTITLES'],
    ['GROUP-ID', quoted('subtitles')],
    ['NAME', quoted(given.named('subtitles', subtitleLabel(one)))],
    ['LANGUAGE', quoted(one.language ?? 'und')],
    ['DEFAULT', given.default ? 'YES' : 'NO'],
    ['AUTOSELECT', 'YES'],
    ['FORCED', one.forced ? 'YES' : 'NO'],
    ...(one.hearingImpaired ? ([['CHARACTERISTICS', quoted(FOR_THE_DEAF)]] as const) : []),
    ['URI', quoted(`subtitles/${one.index}.m3u8?token=${given.token}`)],
  ])
}

function variantLines(one: VideoRendition, group: AudioGroup | undefined, content: MasterContent): readonly string[] {
  const { subtitles, codecs, token } = content
  const members = group?.members ?? []
  const peakAudio = members.reduce((most, audio) => Math.max(most, audio.peakBitrateBps), 0)
  const averageAudio = members.reduce((most, audio) => Math.max(most, audio.bitrateBps), 0)
  const used = new Set([one, ...members].map((rendition) => codecs.get(rendition.name) ?? rendition.codec))
  const attributes: [string, string][] = [
    ['BANDWIDTH', String(Math.round(OVERHEAD * (one.peakBitrateBps + peakAudio)))],
    ['AVERAGE-BANDWIDTH', String(Math.round(one.bitrateBps + averageAudio))],
    ['CODECS', quoted([...used].join(','))],
    ['RESOLUTION', `${one.width}x${one.height}`],
  ]
  if (one.supplementalCodec) attributes.push(['SUPPLEMENTAL-CODECS', quoted(one.supplementalCodec)])
  if (one.frameRate !== null) attributes.push(['FRAME-RATE', one.frameRate.toFixed(3)])
  attributes.push(['VIDEO-RANGE', one.videoRange])
  if (group) attributes.push(['AUDIO', quoted(group.id)])
  if (subtitles.length > 0) attributes.push(['SUBTITLES', quoted('subtitles')])
  attributes.push(['CLOSED-CAPTIONS', 'NONE'])
  return [`#EXT-X-STREAM-INF:${listed(attributes)}`, `${one.name}/playlist.m3u8?token=${token}`]
}

/**
 * Only one, since a player may load every listed one: the copy, which costs no encoding, else the smallest with frames that can be
 * decoded alone. The frame is part of the segment and has its duration, so its bit rate is at most that of the variant.
 */
function iframeLines({ plan, codecs, token }: MasterContent): readonly string[] {
  const able = plan.video.filter(({ standAlone }) => standAlone)
  const [smallest] = able.toSorted((a, b) => a.width * a.height - b.width * b.height)
  const one = able.find(({ method }) => method === 'remux') ?? smallest
  if (!one) return []
  const attributes: readonly (readonly [string, string])[] = [
    ['BANDWIDTH', String(Math.round(OVERHEAD * one.peakBitrateBps))],
    ['CODECS', quoted(codecs.get(one.name) ?? one.codec)],
    ['RESOLUTION', `${one.width}x${one.height}`],
    ['VIDEO-RANGE', one.videoRange],
    ['URI', quoted(`${one.name}/iframes.m3u8?token=${token}`)],
  ]
  return [`#EXT-X-I-FRAME-STREAM-INF:${listed(attributes)}`]
}

const media = (attributes: readonly (readonly [string, string])[]): string => `#EXT-X-MEDIA:${listed(attributes)}`
const listed = (attributes: readonly (readonly [string, string])[]): string =>
  attributes.map(([name, value]) => `${name}=${value}`).join(',')
/** A quoted string must not contain quotes or line ends; titles come from films. */
const quoted = (text: string): string => `"${text.replaceAll('"', "'").replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}"`

/** NAME is unique in its group: the second "English" becomes "English 2". */
function distinctNames(): Named {
  const taken = new Set<string>()
  return (group, wanted) => {
    let name = wanted
    for (let count = 2; taken.has(`${group}/${name}`); count++) name = `${wanted} ${count}`
    taken.add(`${group}/${name}`)
    return name
  }
}
