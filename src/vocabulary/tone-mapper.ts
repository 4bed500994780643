/**
 * Tone-mappers: what brings the colours of an HDR picture down to those of every screen. Remembered of a session, since pictures of
 * different ones do not go together; `none` scales and leaves brightness as it is.
 */

/** In the order of preference where there is no graphics card: libplacebo on a processor takes several times as long. */
export const TONE_MAPPERS = ['zscale', 'libplacebo'] as const
export type ToneMapper = (typeof TONE_MAPPERS)[number]
export type ToneMapping = ToneMapper | 'none'
/** What is meant where none is named. */
export const USUAL_MAPPER: ToneMapper = 'zscale'
