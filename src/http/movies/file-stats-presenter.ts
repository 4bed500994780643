/** Presents the media details of a movie's files; only administrators see paths. */
import { actsAsAdmin, type Caller } from '../../app/access/caller.ts'
import type { MediaDescription, SubtitleTrack, VideoTrack } from '../../vocabulary/media-description.ts'
import { resolutionOf } from '../../vocabulary/resolution.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import type { FileStatsBody } from './file-stats-schemas.ts'
import { baseName, seconds, secondsOrNull, time } from '../server/values-presenter.ts'

type FileBody = FileStatsBody['files'][number]

export function presentFileStats(movieId: string, files: readonly FileDocument[], caller: Caller): FileStatsBody {
  const [primary] = files
  const [video] = primary?.media?.video ?? []
  const [audio] = primary?.media?.audio ?? []
  return {
    movieId,
    ...overall(primary),
    resolution: video ? resolutionOf(video.width, video.height) : null,
    width: video?.width ?? null,
    height: video?.height ?? null,
    videoCodec: video?.codec ?? null,
    audioCodec: audio?.codec ?? null,
    files: files.map((file) => presentFile(file, caller)),
  }
}

function overall(file: FileDocument | undefined) {
  return {
    container: file?.media?.container ?? null,
    size: file?.stamp.sizeBytes ?? 0,
    duration: secondsOrNull(file?.media?.durationMs),
    bitrate: file?.media?.bitrateBps ?? null,
  }
}

function presentFile(file: FileDocument, caller: Caller): FileBody {
  const media: Pick<MediaDescription, 'video' | 'audio' | 'subtitles' | 'chapters'> = file.media ?? NOTHING_PROBED
  return {
    id: file.id,
    name: baseName(file.path),
    path: actsAsAdmin(caller) ? file.path : null,
    ...overall(file),
    video: media.video.map(presentVideo),
    audio: media.audio.map((track) => ({
      codec: track.codec,
      channels: track.channels,
      language: track.language,
      title: track.title,
      default: track.default,
    })),
    subtitles: [...media.subtitles, ...file.sidecars].map(presentSubtitle),
    chapters: media.chapters.map(({ startMs, title }) => ({ start: seconds(startMs), title })),
    modifiedAt: time(file.stamp.modifiedAtMs),
    fingerprint: file.fingerprint,
  }
}

const NOTHING_PROBED = { video: [], audio: [], subtitles: [], chapters: [] }

const presentVideo = (track: VideoTrack): FileBody['video'][number] => ({
  codec: track.codec,
  profile: track.profile,
  width: track.width,
  height: track.height,
  frameRate: track.frameRate,
  bitDepth: track.bitDepth,
  hdr: track.hdr,
  bitrate: track.bitrateBps,
})

const presentSubtitle = (track: SubtitleTrack): FileBody['subtitles'][number] => ({
  codec: track.codec,
  language: track.language,
  title: track.title,
  forced: track.forced,
  default: track.default,
  external: track.path !== null,
})
