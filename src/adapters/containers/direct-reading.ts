/**
 * Reads a film's times and track facts from the tables of its container, without its packets. It does so only if the tables agree with the
 * packets; otherwise it reads at most the header.
 */
import { openMedia, statMedia } from '../../drives/media-files.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { TrackFacts } from '../../ports/media.ts'
import { createBoundedFile, type BoundedFile, type ReadBudget } from './bounded-file.ts'
import { Unsupported } from './unsupported.ts'
import { matroskaFacts } from './matroska-facts.ts'
import { readMatroskaHeader } from './matroska-header.ts'
import { readMatroskaTimes } from './matroska-times.ts'
import { isSpliced } from './mp4-edits.ts'
import { mp4Facts } from './mp4-facts.ts'
import { readMp4Header } from './mp4-header.ts'
import { mp4Times } from './mp4-times.ts'
import { matroskaSampleForm, mp4SampleForm, type SampleForm } from './sample-form.ts'
import type { TrackTimes } from './track-times.ts'

export interface DirectReading {
  /** The times, or the reason why the packets must be read. */
  readonly times: TrackTimes | Unsupported
  readonly tracks: readonly TrackFacts[] | undefined
  /** Video or audio is assembled from several stretches by an edit list. */
  readonly isSpliced?: boolean
  /** Undefined if the video has no NAL units, or the header does not describe it. */
  readonly form: SampleForm | undefined
}

export interface DirectReadingOptions {
  readonly signal: AbortSignal
  readonly budget?: ReadBudget
}

/** @throws the signal's reason, or a file system error; never an error caused by the film's content */
export async function readDirectly(path: string, { signal, budget }: DirectReadingOptions): Promise<DirectReading> {
  const stats = await statMedia(path)
  if (!stats.isFile()) return { times: new Unsupported('It is not a file'), tracks: undefined, form: undefined }
  const handle = await openMedia(path)
  try {
    return await read(createBoundedFile({ file: handle, sizeBytes: stats.size, signal, ...omitUndefined({ budget }) }))
  } finally {
    handle.close()
  }
}

async function read(file: BoundedFile): Promise<DirectReading> {
  let tracks: readonly TrackFacts[] | undefined
  let spliced = false
  let form: SampleForm | undefined
  const times = await orDeclined(async () => {
    const kind = await kindOf(file)
    if (kind === 'matroska') {
      const header = await readMatroskaHeader(file)
      tracks = matroskaFacts(header.tracks)
      form = matroskaSampleForm(header.tracks, tracks)
      return readMatroskaTimes(file, header)
    }
    if (kind === undefined) throw new Unsupported('It is of no container that is read here')
    const header = await readMp4Header(file)
    tracks = mp4Facts(header.tracks)
    form = mp4SampleForm(tracks)
    spliced = header.tracks.some((track) => track.type !== 'other' && isSpliced(track))
    return mp4Times(header, file.sizeBytes)
  })
  return { times, tracks, form, ...(spliced ? { isSpliced: true } : {}) }
}

async function orDeclined<Value>(work: () => Promise<Value>): Promise<Value | Unsupported> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof Unsupported) return cause
    throw cause
  }
}

const EBML_HEX = '1a45dfa3'
const FIRST_BOXES: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'styp', 'uuid'])

async function kindOf(file: BoundedFile): Promise<'matroska' | 'mp4' | undefined> {
  const head = Buffer.from(await file.read(0, Math.min(8, file.sizeBytes)))
  if (head.toString('hex', 0, 4) === EBML_HEX) return 'matroska'
  return FIRST_BOXES.has(head.toString('latin1', 4, 8)) ? 'mp4' : undefined
}
