/**
 * Finds the codec string of a copied video in its container's decoder configuration. The same bytes go into the init segment, so the
 * string is exact before anything is made. Undefined if the container has no such bytes, as in a transport stream or VP9 in WebM.
 */
import type { MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import type { MediaTimes } from './media-times.ts'
import { codecString, type ConfigurationType } from './codec-string.ts'

const CONFIGURATIONS: Readonly<Record<string, ConfigurationType>> = { h264: 'avcC', hevc: 'hvcC', av1: 'av1C', vp9: 'vpcC' }

export function configuredCodec(media: MediaDescription, track: VideoTrack, times: MediaTimes | undefined): string | undefined {
  const tracks = times?.tracks?.filter(({ type }) => type === 'video') ?? []
  // Containers may have video tracks that are no film, such as a cover: then the tracks cannot be matched.
  if (tracks.length !== media.video.length) return undefined
  const configuration = tracks[media.video.indexOf(track)]?.configuration
  if (!configuration || configuration.type !== CONFIGURATIONS[track.codec]) return undefined
  return codecString(configuration.type, configuration.bytes) ?? undefined
}
