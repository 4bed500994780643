/** Reads the header of a Matroska or WebM file: the offsets of its parts, its tracks, and the entries of its Cues. */
import type { BoundedFile } from './bounded-file.ts'
import { Unsupported } from './unsupported.ts'
import { elementIn, elementsOf, floatIn, readContent, readHead, unsigned, unsignedIn, type ElementHead } from './ebml.ts'
import * as ids from './matroska-ids.ts'

export interface MatroskaHeader {
  /** Positions in the file's tables count from here. */
  readonly segmentStart: number
  readonly segmentEnd: number
  readonly firstCluster: number
  /** Nanoseconds of one tick. */
  readonly tickNs: number
  readonly tracks: readonly MatroskaTrack[]
  readonly cues: ElementHead | undefined
}

export interface MatroskaTrack {
  readonly number: number
  readonly type: 'video' | 'audio' | 'other'
  readonly codecId: string
  /** The whole entry, for further fields. */
  readonly entry: Uint8Array
  readonly frameNs: number
  readonly delayNs: number
  /** Its times are multiplied by a factor. */
  readonly isScaled: boolean
}

/** A keyframe listed in the Cues. */
export interface Cue {
  readonly ticks: number
  readonly track: number
  readonly cluster: number
  /** Offset of its block within the cluster's content. */
  readonly relative: number | undefined
}

const MOST_PARTS = 64
const MOST_TRACKS = 256
const MOST_CUES = 100_000
const CODEC_ID_BYTES = 64
const MOST_BYTES = { seekHead: 65_536, information: 1024 * 1024, tracks: 4 * 1024 * 1024, cues: 16 * 1024 * 1024 }
const DEFAULT_TICK_NS = 1_000_000
const TYPES: Readonly<Record<number, MatroskaTrack['type']>> = { 1: 'video', 2: 'audio' }

/** A truncated file also has a header. @throws Unsupported the file's structure is not supported here */
export async function readMatroskaHeader(file: BoundedFile): Promise<MatroskaHeader> {
  const segment = await readSegmentHead(file)
  const parts = await readParts(file, segment)
  const information = parts.get(ids.INFO)
  const tracks = parts.get(ids.TRACKS)
  const firstCluster = parts.get(ids.CLUSTER)?.start
  if (!information || !tracks || firstCluster === undefined) throw new Unsupported('Its header is in no usual order')
  const scale = unsignedIn(await readContent(file, information, MOST_BYTES.information), ids.TIMESTAMP_SCALE)
  return {
    segmentStart: segment.dataStart,
    segmentEnd: segment.end,
    firstCluster,
    tickNs: scale || DEFAULT_TICK_NS,
    tracks: readTracks(await readContent(file, tracks, MOST_BYTES.tracks)),
    cues: parts.get(ids.CUES) ?? (await findAfter(file, segment, { seekHead: parts.get(ids.SEEK_HEAD), wanted: ids.CUES })),
  }
}

async function readSegmentHead(file: BoundedFile): Promise<ElementHead> {
  const ebml = await readHead(file, 0, Infinity)
  if (ebml.id !== ids.EBML) throw new Unsupported('It is no Matroska file')
  const segment = await readHead(file, ebml.end, Infinity)
  if (segment.id !== ids.SEGMENT) throw new Unsupported('It has no segment')
  return segment
}

/** A part before the clusters, or after them if the SeekHead lists it. @throws Unsupported as above */
export async function findSegmentPart(file: BoundedFile, wanted: number): Promise<ElementHead | undefined> {
  const segment = await readSegmentHead(file)
  const parts = await readParts(file, segment)
  return parts.get(wanted) ?? findAfter(file, segment, { seekHead: parts.get(ids.SEEK_HEAD), wanted })
}

/** The parts before the first cluster, and that cluster. */
async function readParts(file: BoundedFile, segment: ElementHead): Promise<ReadonlyMap<number, ElementHead>> {
  const parts = new Map<number, ElementHead>()
  const until = Math.min(segment.end, file.sizeBytes)
  let at = segment.dataStart
  for (let seen = 0; at < until && seen < MOST_PARTS; seen++) {
    const head = await readHead(file, at, Infinity)
    if (!parts.has(head.id)) parts.set(head.id, head)
    if (head.id === ids.CLUSTER || head.end === Infinity) break
    at = head.end
  }
  return parts
}

interface Searched {
  readonly seekHead: ElementHead | undefined
  readonly wanted: number
}

/** A part after the clusters, located by the SeekHead. */
async function findAfter(file: BoundedFile, segment: ElementHead, { seekHead, wanted }: Searched): Promise<ElementHead | undefined> {
  if (!seekHead) return undefined
  for (const { id, bytes } of elementsOf(await readContent(file, seekHead, MOST_BYTES.seekHead))) {
    if (id !== ids.SEEK || unsignedIn(bytes, ids.SEEK_ID) !== wanted) continue
    const position = unsignedIn(bytes, ids.SEEK_POSITION)
    const at = segment.dataStart + (position ?? Infinity)
    const head = at < file.sizeBytes ? await readHead(file, at, Infinity) : undefined
    return head?.id === wanted ? head : undefined
  }
  return undefined
}

function readTracks(bytes: Uint8Array): readonly MatroskaTrack[] {
  const tracks: MatroskaTrack[] = []
  for (const { id, bytes: entry } of elementsOf(bytes)) {
    if (id !== ids.TRACK_ENTRY) continue
    if (tracks.length === MOST_TRACKS) throw new Unsupported('It has too many tracks')
    tracks.push({
      number: unsignedIn(entry, ids.TRACK_NUMBER) ?? 0,
      type: TYPES[unsignedIn(entry, ids.TRACK_TYPE) ?? 0] ?? 'other',
      codecId: new TextDecoder('latin1').decode(elementIn(entry, ids.CODEC_ID)?.subarray(0, CODEC_ID_BYTES)).replace(/\0+$/, ''),
      entry,
      frameNs: unsignedIn(entry, ids.DEFAULT_DURATION) ?? 0,
      delayNs: unsignedIn(entry, ids.CODEC_DELAY) ?? 0,
      isScaled: (floatIn(entry, ids.TRACK_TIMESTAMP_SCALE) ?? 1) !== 1,
    })
  }
  return tracks
}

/** The Cues of one track, in the order of the file. */
export async function readCues(file: BoundedFile, { cues, segmentStart }: MatroskaHeader, track: number): Promise<readonly Cue[]> {
  if (!cues) throw new Unsupported('It has no Cues')
  const found: Cue[] = []
  for (const { id, bytes } of elementsOf(await readContent(file, cues, MOST_BYTES.cues))) {
    if (id !== ids.CUE_POINT) continue
    const time = unsignedIn(bytes, ids.CUE_TIME)
    for (const positions of elementsOf(bytes)) {
      const isWanted = positions.id === ids.CUE_TRACK_POSITIONS && unsignedIn(positions.bytes, ids.CUE_TRACK) === track
      const position = isWanted ? elementIn(positions.bytes, ids.CUE_CLUSTER_POSITION) : undefined
      if (!position || time === undefined) continue
      const relative = unsignedIn(positions.bytes, ids.CUE_RELATIVE_POSITION)
      if (found.length === MOST_CUES) throw new Unsupported('It has too many Cues')
      found.push({ ticks: time, track, cluster: segmentStart + unsigned(position), relative })
    }
  }
  return found
}
