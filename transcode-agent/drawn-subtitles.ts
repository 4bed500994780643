/** Builds filters that draw a subtitle into a frame after scaling and colour conversion, so that text stays sharp and white stays white. */
import type { BurnIn } from '../src/domain/streaming/burn-in.ts'
import type { AttachmentFiles } from './job-attachments.ts'
import { firstStart, seconds, type VideoOutput, type Work } from './work.ts'

type Bitmap = Extract<BurnIn, { readonly type: 'bitmap' }>

/** Canvas sizes of DVDs, whose pixels are not square. */
const DISC_WIDTHS = [720, 704, 352]
const DISC_LINES = [480, 576]
/** From this video aspect ratio up, a DVD canvas is taken to be 16:9. */
const WIDE_ASPECT = 1.55
/** If video and canvas differ in aspect ratio by less than this, they are taken to match. */
const SAME_ASPECT = 0.02
/**
 * How early to start reading: a bitmap subtitle is often shown long before it is removed. As early as costs little: decoding the clock takes
 * a thousandth of its time, but all of the film in between is read from the disk.
 */
const RUN_UP = { leastMs: 30_000, mostMs: 180_000, bytes: 100_000_000 }
/** Time before the first encoded frame: the clock's next packet brings the subtitle shown then, and nothing older is scaled. */
const STATE_MS = 1_000

export const isGraph = ({ burnIn }: Pick<VideoOutput, 'burnIn'>): boolean => burnIn?.type === 'bitmap'

/**
 * A second input on the same film, for bitmap subtitles: it starts further back than the video input, whose frames would have to be
 * decoded. ffmpeg is configured not to reinitialise the graph if a canvas turns out to have another size: scaling takes any.
 */
export function subtitleInput(work: Work, inputFrom: (seekMs: number | null, options: readonly string[]) => readonly string[]) {
  const { output, seekMs, zeroMs } = work
  if (output.type !== 'encode-video' || output.burnIn?.type !== 'bitmap') return []
  const runUpMs = runUpOf(work)
  const fromMs = seekMs === null || seekMs - runUpMs <= zeroMs ? null : seekMs - runUpMs
  const { stream, clock } = output.burnIn
  return inputFrom(fromMs, [`-reinit_filter:${stream}`, '0', ...(clock.type === 'video' ? ['-skip_frame:v', 'nokey'] : [])])
}

/** The same for each run of a film, by its average bit rate: a subtitle that is shown for no longer is there whichever run shows it. */
function runUpOf({ sizeBytes = Infinity, endMs }: Work): number {
  const readMs = (RUN_UP.bytes * endMs) / sizeBytes
  return Math.round(Math.max(RUN_UP.leastMs, Math.min(RUN_UP.mostMs, readMs)))
}

/** @throws Error the text of the subtitle is missing */
export function drawFilters(work: Work, output: VideoOutput): readonly string[] {
  const { burnIn } = output
  if (!burnIn) return []
  if (burnIn.type === 'bitmap') return [bitmapFilters(work, output, burnIn)]
  if (!work.attachment) throw new Error('The job came without the subtitle to burn in')
  return [assFilter(work.attachment)]
}

/** A script and a folder of fonts, which need not exist. */
export const assFilter = ({ first, others }: AttachmentFiles): string => `ass=filename=${escaped(first)}:fontsdir=${escaped(others)}`

/**
 * Overlays the subtitle's own canvas on the video, as large as fits and aligned to the lower edge. So nothing is cut off if the disc's
 * black bars are missing, and text at the bottom stays there. Sizes are expressions, since a canvas size is known only from its first
 * event. ffmpeg checks for an ended subtitle at every packet of the clock. The film's own packets would not do: with reordered frames the
 * check would come too early, by an amount that depends on where the run began.
 */
function bitmapFilters(work: Work, to: VideoOutput, { stream, clock, width, height, matrix }: Bitmap): string {
  const same = `eq(iw,${width})*eq(ih,${height})`
  const ratio = to.width / to.height
  const isDisc = `(${DISC_WIDTHS.map((lines) => `eq(iw,${lines})`).join('+')})*(${DISC_LINES.map((lines) => `eq(ih,${lines})`).join('+')})`
  const aspect = `if(${isDisc},${ratio > WIDE_ASPECT ? '16/9' : '4/3'},iw/ih)`
  const fits = `if(${same}+lt(abs(${aspect}/${ratio.toFixed(6)}-1),${SAME_ASPECT}),${ratio.toFixed(6)},${aspect})`
  const across = `trunc(min(${to.width},${to.height}*${fits})/2+0.01)*2`
  const down = `trunc(min(${to.height},${to.width}/${fits})/2+0.01)*2`
  const scaled = `scale=w='${across}':h='${down}':flags=bicubic:out_color_matrix=${matrix},format=yuva420p`
  const ticking = clock.type === 'audio' ? `[1:${clock.stream}]anullsink` : `[1:${clock.stream}]nullsink`
  const startMs = firstStart(work)
  const begun = startMs > 0 ? `trim=start=${seconds(work.zeroMs + startMs - STATE_MS)},` : ''
  return `null[film];${ticking};[1:${stream}]${begun}${scaled}[drawn];[film][drawn]overlay=x='(W-w)/2':y='H-h':eof_action=pass`
}

/**
 * Escapes one of our own paths as an option value in a filter graph: first the characters special in the option, then those special in the
 * graph (ffmpeg-filters(1), Notes on filtergraph escaping).
 */
function escaped(path: string): string {
  return path.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\'[\],;]/g, '\\$&')
}
