/** Filters that draw a subtitle into a picture that has its size and its colours already: text stays sharp, and white stays white. */
import type { BurnIn } from '../src/domain/streaming/burn-in.ts'
import type { AttachmentFiles } from './job-attachments.ts'
import { firstStart, seconds, type VideoOutput, type Work } from './work.ts'

type Bitmap = Extract<BurnIn, { readonly type: 'bitmap' }>

/** Canvases of discs: their pixels are no squares. */
const DISC_WIDTHS = [720, 704, 352]
const DISC_LINES = [480, 576]
/** From the aspect of a picture on, a disc is taken to hold it in 16:9. */
const WIDE_ASPECT = 1.55
/** A picture and a canvas whose aspects differ by less are taken to be meant for each other. */
const SAME_ASPECT = 0.02
/** Pictures of subtitles are put up long before they are taken down. */
const RUN_UP_MS = 30_000
/** Before the first picture that is made: with the clock's next packet comes what is up then, and nothing older is scaled. */
const STATE_MS = 1_000

export const isGraph = ({ burnIn }: Pick<VideoOutput, 'burnIn'>): boolean => burnIn?.type === 'bitmap'

/**
 * A second reading of the film, for a subtitle that is made of pictures: from further back than the film's own picture, which would
 * have to be decoded. ffmpeg is told not to begin anew when a canvas turns out to be of another size: scaling takes any.
 */
export function subtitleInput(work: Work, inputFrom: (seekMs: number | null, options: readonly string[]) => readonly string[]) {
  const { output, seekMs, zeroMs } = work
  if (output.type !== 'encode-video' || output.burnIn?.type !== 'bitmap') return []
  const fromMs = seekMs === null || seekMs - RUN_UP_MS <= zeroMs ? null : seekMs - RUN_UP_MS
  const { stream, clock } = output.burnIn
  return inputFrom(fromMs, [`-reinit_filter:${stream}`, '0', ...(clock.type === 'video' ? ['-skip_frame:v', 'nokey'] : [])])
}

/** @throws Error the text of the subtitle is not at hand */
export function drawFilters(work: Work, output: VideoOutput): readonly string[] {
  const { burnIn } = output
  if (!burnIn) return []
  if (burnIn.type === 'bitmap') return [bitmapFilters(work, output, burnIn)]
  if (!work.attachment) throw new Error('The text of the subtitle that is to be drawn has not come with the job')
  return [assFilter(work.attachment)]
}

/** A script, and a folder of fonts, which need not be there. */
export const assFilter = ({ first, others }: AttachmentFiles): string => `ass=filename=${escaped(first)}:fontsdir=${escaped(others)}`

/**
 * The subtitle's own canvas over the picture, as large as fits, from its lower edge on: so that nothing is cut off where black bars
 * are missing that the disc had, and what stands below still does. Sizes are expressions, since only its first event tells a canvas.
 * For every packet of the clock ffmpeg looks whether a subtitle has ended. The film's own packets would not do: where pictures are
 * shown in another order than they are stored, it would look too early, and by how much depends on where it began.
 */
function bitmapFilters(work: Work, to: VideoOutput, { stream, clock, width, height, matrix }: Bitmap): string {
  const same = `eq(iw,${width})*eq(ih,${height})`
  const picture = to.width / to.height
  const isDisc = `(${DISC_WIDTHS.map((lines) => `eq(iw,${lines})`).join('+')})*(${DISC_LINES.map((lines) => `eq(ih,${lines})`).join('+')})`
  const aspect = `if(${isDisc},${picture > WIDE_ASPECT ? '16/9' : '4/3'},iw/ih)`
  const fits = `if(${same}+lt(abs(${aspect}/${picture.toFixed(6)}-1),${SAME_ASPECT}),${picture.toFixed(6)},${aspect})`
  const across = `trunc(min(${to.width},${to.height}*${fits})/2+0.01)*2`
  const down = `trunc(min(${to.height},${to.width}/${fits})/2+0.01)*2`
  const scaled = `scale=w='${across}':h='${down}':flags=bicubic:out_color_matrix=${matrix},format=yuva420p`
  const ticking = clock.type === 'audio' ? `[1:${clock.stream}]anullsink` : `[1:${clock.stream}]nullsink`
  const startMs = firstStart(work)
  const begun = startMs > 0 ? `trim=start=${seconds(work.zeroMs + startMs - STATE_MS)},` : ''
  return `null[film];${ticking};[1:${stream}]${begun}${scaled}[drawn];[film][drawn]overlay=x='(W-w)/2':y='H-h':eof_action=pass`
}

/**
 * A path of our own as the value of an option in a filter graph: first the option's own signs, then the graph's (ffmpeg-filters(1),
 * Notes on filtergraph escaping).
 */
function escaped(path: string): string {
  return path.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\'[\],;]/g, '\\$&')
}
