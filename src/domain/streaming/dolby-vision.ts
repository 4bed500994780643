/**
 * Dolby Vision: what of a film's picture players see that know nothing of it. By its configuration record (ETSI TS 103 572; Dolby,
 * "Dolby Vision Profiles and Levels"): the compatibility says what the base layer is by itself.
 */
import type { DolbyVision, MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import { dolbyVisionString } from './codec-string.ts'

/** What the base layer is: HDR10, HLG, a picture of usual brightness, or nothing that can be looked at without the enhancement. */
export type BaseLayer = 'hdr10' | 'hlg' | 'sdr' | 'none'

const BASE_LAYERS: Readonly<Record<number, BaseLayer>> = { 0: 'none', 1: 'hdr10', 2: 'sdr', 4: 'hlg', 6: 'hdr10' }

/** Undefined for what has no Dolby Vision, or has it in a form that is not told; a compatibility that is not known is none. */
export function baseLayerOf({ dolbyVision }: Pick<VideoTrack, 'dolbyVision'>): BaseLayer | undefined {
  return dolbyVision && (BASE_LAYERS[dolbyVision.compatibilityId] ?? 'none')
}

/** Whether only what reads the enhancement shows the right colours. */
export const needsEnhancement = (track: VideoTrack): boolean => baseLayerOf(track) === 'none'

/** Apple's authoring rules, "Dolby Vision": the brand that goes with a profile and its base layer. */
const BRANDS: Readonly<Record<string, string>> = { '8/1': 'db1p', '8/4': 'db4h', '10/1': 'db1p', '10/4': 'db4h' }

export const brandOf = ({ profile, compatibilityId }: DolbyVision): string | undefined => BRANDS[`${profile}/${compatibilityId}`]

export interface DolbyNames {
  /** The track's codec, where without Dolby Vision there is nothing to be seen. */
  readonly codec?: string
  /** What a player may take beside the track's own codec: a codec and its brand. */
  readonly supplementalCodec?: string
}

/** How a copied picture is declared. */
export function dolbyNames({ codec, dolbyVision }: VideoTrack): DolbyNames {
  if (!dolbyVision) return {}
  const string = dolbyVisionString(dolbyVision, codec === 'av1' ? 'av01' : 'hvc1')
  if (codec === 'hevc' && baseLayerOf({ dolbyVision }) === 'none') return { codec: string }
  const brand = brandOf(dolbyVision)
  return brand ? { supplementalCodec: `${string}/${brand}` } : {}
}

interface Told {
  readonly tracks?: readonly { readonly type: string; readonly hdr?: { readonly dolbyVision: DolbyVision | null } | null }[]
}

/** The film with what its container tells of Dolby Vision where its description is older than such descriptions. */
export function withDolbyVision(media: MediaDescription, times: Told | undefined): MediaDescription {
  const pictures = times?.tracks?.filter(({ type }) => type === 'video') ?? []
  // Containers may have pictures that are no film, such as a cover: then it is not told which is which.
  if (pictures.length !== media.video.length || !media.video.some(({ hdr, dolbyVision }) => hdr === 'dolby-vision' && !dolbyVision))
    return media
  const told = (track: VideoTrack, index: number): VideoTrack => {
    const dolbyVision = track.dolbyVision ?? pictures[index]?.hdr?.dolbyVision
    return dolbyVision ? { ...track, dolbyVision } : track
  }
  return { ...media, video: media.video.map(told) }
}
