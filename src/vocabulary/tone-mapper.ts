/**
 * Tone-mappers convert the colours of HDR video for SDR screens. A session records its tone-mapper, since output of different ones must not
 * be mixed; `none` scales and leaves brightness unchanged.
 */

/** In order of preference without a graphics card: libplacebo on a CPU takes several times as long. */
export const TONE_MAPPERS = ['zscale', 'libplacebo'] as const
export type ToneMapper = (typeof TONE_MAPPERS)[number]
export type ToneMapping = ToneMapper | 'none'
/** The default if none is named. */
export const USUAL_MAPPER: ToneMapper = 'zscale'
