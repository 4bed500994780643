/**
 * Determines the matrix from colours to luma and chroma of video that states none. Players guess it, most of them from the number of lines:
 * BT.601 below 720, else BT.709. Chromium's Media Source Extensions guess BT.709 for all.
 */
import type { VideoTrack } from '../../vocabulary/media-description.ts'

export type ColourMatrix = 'bt601' | 'bt709'

const HIGH_DEFINITION_LINES = 720
/** It has no matrix: one is chosen for the conversion. */
const RGB = /rgb|bgr|gbr|pal8/

/**
 * The matrix that a transcode states, since players would guess another one for its fewer lines. Undefined if the film states its own; if
 * it has few lines itself, so that players guess the same for each quality; and for full range, whose matrix each player guesses in its own
 * way.
 */
export function addedMatrix(track: VideoTrack): 'bt709' | undefined {
  if (RGB.test(track.pixelFormat ?? '')) return 'bt709'
  if (track.colorSpace !== null || track.colorRange === 'pc') return undefined
  return usualMatrix(track) === 'bt709' ? 'bt709' : undefined
}

export const usualMatrix = ({ height }: VideoTrack): ColourMatrix => (height < HIGH_DEFINITION_LINES ? 'bt601' : 'bt709')
