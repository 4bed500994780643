/** What this browser decodes, in the terms of the server: names as ffprobe prints them. Asked for once a page load. */
import type { operations } from '../api/schema.d.ts'

type NewSession = NonNullable<operations['startPlayback']['requestBody']>['content']['application/json']
export type Capabilities = NonNullable<NewSession['capabilities']>
type Video = NonNullable<Capabilities['video']>[number]
type AudioTrack = NonNullable<Capabilities['audio']>[number]

/** What is asked of a browser. */
export interface Probe {
  /** For Media Source Extensions, or for a file if there are none. */
  readonly decodes: (type: string) => boolean
  readonly playsFile: (type: string) => boolean
  readonly showsHdr: boolean
  /** Lines of the screen in its own pixels, the shorter side. */
  readonly screenLines: number
  /** Whether so many channels are taken. */
  readonly takesChannels: (type: string, channels: number) => Promise<boolean>
}

interface Candidate {
  readonly codec: string
  readonly bitDepth: number
  readonly profile?: string
  /** Levels with their codec strings, the highest first. */
  readonly levels: readonly (readonly [number | null, string])[]
}

const H264_LEVELS = [6.2, 5.2, 5.1, 4.2, 4.1, 4, 3.1]
const hex = (value: number): string => value.toString(16).padStart(2, '0')
const hevc = (profile: string) => [6.2, 6, 5.1, 4.1].map((level) => [level, `hvc1.${profile}.L${Math.round(level * 30)}.B0`] as const)
const av1 = (depth: string) =>
  (
    [
      [6.1, 17],
      [5.1, 13],
      [4.1, 9],
    ] as const
  ).map(([level, told]) => [level, `av01.0.${String(told).padStart(2, '0')}M.${depth}`] as const)

const CANDIDATES: readonly Candidate[] = [
  { codec: 'h264', bitDepth: 8, levels: H264_LEVELS.map((level) => [level, `avc1.6400${hex(Math.round(level * 10))}`] as const) },
  { codec: 'hevc', bitDepth: 10, levels: hevc('2.4') },
  { codec: 'hevc', bitDepth: 8, levels: hevc('1.6') },
  { codec: 'av1', bitDepth: 10, levels: av1('10') },
  { codec: 'av1', bitDepth: 8, levels: av1('08') },
  { codec: 'vp9', bitDepth: 10, levels: [[null, 'vp09.02.51.10']] },
  { codec: 'vp9', bitDepth: 8, levels: [[null, 'vp09.00.51.08']] },
]

const AUDIO_CODECS: readonly (readonly [string, string])[] = [
  ['aac', 'mp4a.40.2'],
  ['ac3', 'ac-3'],
  ['eac3', 'ec-3'],
  ['opus', 'opus'],
  ['flac', 'flac'],
  ['mp3', 'mp3'],
]
const CHANNELS = [8, 6]

/** Names of containers, and what a browser is asked for them. */
const FILES: readonly (readonly [readonly string[], string])[] = [
  [['mp4', 'm4v'], 'video/mp4; codecs="avc1.640028, mp4a.40.2"'],
  [['mov'], 'video/quicktime; codecs="avc1.640028, mp4a.40.2"'],
  [['webm'], 'video/webm; codecs="vp9, opus"'],
]

/** A video of up to twice the lines of the screen is cheaper to shrink here than to transcode there. */
const SHRINKS = 2
const LEAST_LINES = 1080

export async function capabilitiesOf(probe: Probe): Promise<Capabilities> {
  const { decodes, playsFile, showsHdr, screenLines } = probe
  const hdr: NonNullable<Video['hdr']> = showsHdr ? ['hdr10', 'hlg'] : []
  const video = CANDIDATES.flatMap(({ codec, bitDepth, levels }): Video[] => {
    const best = levels.find(([, name]) => decodes(`video/mp4; codecs="${name}"`))
    return best ? [{ codec, bitDepth, level: best[0], hdr: bitDepth > 8 ? hdr : [] }] : []
  })
  const audio = AUDIO_CODECS.map(([codec, name]) => [codec, `audio/mp4; codecs="${name}"`] as const).filter(([, type]) => decodes(type))
  return {
    containers: FILES.flatMap(([names, type]) => (playsFile(type) ? names : [])),
    video: video.length > 0 ? video : [{ codec: 'h264' }],
    audio: await Promise.all(
      audio.map(async ([codec, type]): Promise<AudioTrack> => ({ codec, maxChannels: await channelsOf(probe, type) })),
    ),
    maxHeight: screenLines > 0 ? Math.max(LEAST_LINES, Math.round(screenLines * SHRINKS)) : null,
  }
}

async function channelsOf({ takesChannels }: Probe, type: string): Promise<number> {
  for (const channels of CHANNELS) if (await takesChannels(type, channels)) return channels
  return 2
}

interface SourceClass {
  isTypeSupported(type: string): boolean
}

function browserProbe(): Probe {
  const video = document.createElement('video')
  const plays = (type: string): boolean => video.canPlayType(type) === 'probably'
  const source = (Reflect.get(globalThis, 'ManagedMediaSource') ?? Reflect.get(globalThis, 'MediaSource')) as SourceClass | undefined
  const lines = Math.min(screen.width, screen.height) * devicePixelRatio
  return {
    decodes: source ? (type) => source.isTypeSupported(type) : plays,
    playsFile: plays,
    showsHdr: matchMedia('(dynamic-range: high)').matches,
    screenLines: Number.isFinite(lines) ? Math.round(lines) : 0,
    async takesChannels(type, channels) {
      const audio = { contentType: type, channels: String(channels), bitrate: 384_000, samplerate: 48_000 }
      const { supported } = await navigator.mediaCapabilities.decodingInfo({ type: 'media-source', audio })
      return supported
    },
  }
}

let known: Promise<Capabilities> | undefined

/** Of this browser. */
export function ownCapabilities(): Promise<Capabilities> {
  known ??= capabilitiesOf(withFallback(browserProbe()))
  return known
}

/** Without Media Capabilities, stereo is what every browser takes. */
const withFallback = (probe: Probe): Probe => ({
  ...probe,
  takesChannels: async (type, channels) => {
    try {
      return await probe.takesChannels(type, channels)
    } catch {
      return false
    }
  },
})
