/**
 * Description of a film file from ffprobe, stored in MovieProbed. Codec names as ffprobe prints them, languages BCP 47 in the shortest form
 * (`de`), null if the file does not state it. Times in milliseconds, rates in bit/s.
 */
export interface MediaDescription {
  /** Short name of the container: `mp4`, `matroska`, `webm`, `avi`, `mpegts`, `mpeg`, `ogg`, ... */
  readonly container: string
  readonly durationMs: number
  /** Timestamp of the first packet; the player's zero. May be negative, and has microseconds. */
  readonly startMs: number
  readonly bitrateBps: number | null
  readonly video: readonly VideoTrack[]
  readonly audio: readonly AudioTrack[]
  readonly subtitles: readonly SubtitleTrack[]
  readonly chapters: readonly Chapter[]
}

export interface VideoTrack {
  /** Index of the stream in the file. */
  readonly stream: number
  readonly codec: string
  readonly profile: string | null
  /** As ffprobe prints it: H.264 10 x level, HEVC 30 x level. */
  readonly level: number | null
  /** Stored size; `rotation` degrees clockwise (0, 90, 180, 270) turn it for display. */
  readonly width: number
  readonly height: number
  readonly rotation: number
  /** Sample aspect ratio, `1:1` if unknown. */
  readonly sampleAspect: string
  /** Average frames a second, and as a fraction. */
  readonly frameRate: number | null
  readonly frameRateFraction: string | null
  readonly pixelFormat: string | null
  readonly bitDepth: number
  readonly interlaced: boolean
  /** `hdr10`, `hlg`, `dolby-vision`, or null. */
  readonly hdr: string | null
  readonly colorTransfer: string | null
  readonly colorPrimaries: string | null
  readonly colorSpace: string | null
  /** `tv` or `pc`; missing if the file does not state it. */
  readonly colorRange?: string
  /** Its configuration record, if the file has one. */
  readonly dolbyVision?: DolbyVision
  readonly bitrateBps: number | null
}

export interface DolbyVision {
  readonly profile: number
  readonly level: number
  /** Compatibility of the base layer by itself: 0 none, 1 and 6 HDR10, 2 SDR, 4 HLG. */
  readonly compatibilityId: number
  /** A second video layer beside the base layer. */
  readonly enhancementLayer?: boolean
}

export interface AudioTrack {
  readonly stream: number
  readonly codec: string
  readonly profile: string | null
  readonly channels: number
  readonly channelLayout: string | null
  readonly sampleRate: number
  readonly language: string | null
  readonly title: string | null
  readonly default: boolean
  readonly bitrateBps: number | null
}

export interface SubtitleTrack {
  /** Index of the stream in the film file; null for a separate file. */
  readonly stream: number | null
  /** Path of the separate file; null for a track in the film. */
  readonly path: string | null
  readonly codec: string
  readonly language: string | null
  readonly title: string | null
  readonly forced: boolean
  readonly default: boolean
  readonly hearingImpaired: boolean
}

export interface Chapter {
  readonly startMs: number
  readonly title: string | null
}

/** Distinguishes versions of a file; `inode` is null if the file system has none. */
export interface FileStamp {
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  readonly inode: number | null
}
