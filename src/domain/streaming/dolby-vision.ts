/**
 * Determines what players without Dolby Vision support see of a Dolby Vision video, from its configuration record (ETSI TS 103 572; Dolby,
 * "Dolby Vision Profiles and Levels"): the compatibility id describes the base layer.
 */
import type { DolbyVision, MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import { dolbyVisionString } from './codec-string.ts'

/** The base layer: HDR10, HLG, SDR, or video that cannot be watched without the enhancement. */
export type BaseLayer = 'hdr10' | 'hlg' | 'sdr' | 'none'

const BASE_LAYERS: Readonly<Record<number, BaseLayer>> = { 0: 'none', 1: 'hdr10', 2: 'sdr', 4: 'hlg', 6: 'hdr10' }

/** Undefined without Dolby Vision, or if its form is not stated; an unknown compatibility id means `none`. */
export function baseLayerOf({ dolbyVision }: Pick<VideoTrack, 'dolbyVision'>): BaseLayer | undefined {
  return dolbyVision && (BASE_LAYERS[dolbyVision.compatibilityId] ?? 'none')
}

/** Whether only a decoder that uses the enhancement shows the right colours. */
export const needsEnhancement = (track: VideoTrack): boolean => baseLayerOf(track) === 'none'

/** Apple's authoring rules, "Dolby Vision": the brand that goes with a profile and its base layer. */
const BRANDS: Readonly<Record<string, string>> = { '8/1': 'db1p', '8/4': 'db4h', '10/1': 'db1p', '10/4': 'db4h' }

export const brandOf = ({ profile, compatibilityId }: DolbyVision): string | undefined => BRANDS[`${profile}/${compatibilityId}`]

export interface DolbyNames {
  /** The track's codec, if nothing can be seen without Dolby Vision. */
  readonly codec?: string
  /** An alternative to the track's own codec: a codec and its brand. */
  readonly supplementalCodec?: string
}

/** How a copied video is declared in playlists. */
export function dolbyNames({ codec, dolbyVision }: VideoTrack): DolbyNames {
  if (!dolbyVision) return {}
  const string = dolbyVisionString(dolbyVision, codec === 'av1' ? 'av01' : 'hvc1')
  if (codec === 'hevc' && baseLayerOf({ dolbyVision }) === 'none') return { codec: string }
  const brand = brandOf(dolbyVision)
  return brand ? { supplementalCodec: `${string}/${brand}` } : {}
}

interface ContainerTracks {
  readonly tracks?: readonly { readonly type: string; readonly hdr?: { readonly dolbyVision: DolbyVision | null } | null }[]
}

/** Adds Dolby Vision data from the container to a description that was made before such data was stored. */
export function withDolbyVision(media: MediaDescription, times: ContainerTracks | undefined): MediaDescription {
  const tracks = times?.tracks?.filter(({ type }) => type === 'video') ?? []
  // Containers may have video tracks that are no film, such as a cover: then the tracks cannot be matched.
  if (tracks.length !== media.video.length || !media.video.some(({ hdr, dolbyVision }) => hdr === 'dolby-vision' && !dolbyVision))
    return media
  const completed = (track: VideoTrack, index: number): VideoTrack => {
    const dolbyVision = track.dolbyVision ?? tracks[index]?.hdr?.dolbyVision
    return dolbyVision ? { ...track, dolbyVision } : track
  }
  return { ...media, video: media.video.map(completed) }
}
