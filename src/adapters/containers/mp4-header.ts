/** Reads the header of an MP4 or QuickTime film (the moov box): its tracks and their sample tables. */
import type { BoundedFile } from './bounded-file.ts'
import { boxesOf, boxesOfFile, boxIn, viewOf } from './boxes.ts'
import { Unsupported } from './unsupported.ts'

export interface Mp4Header {
  /** Ticks a second of the film as a whole: the unit of edit lengths. */
  readonly timescale: number
  /** Some of its samples are in fragments. */
  readonly isFragmented: boolean
  readonly tracks: readonly Mp4Track[]
}

export interface Mp4Track {
  readonly type: 'video' | 'audio' | 'other'
  readonly timescale: number
  /** The content of the edit list's box. */
  readonly edits: Uint8Array | undefined
  /** The box of the sample tables. */
  readonly samples: Uint8Array
  /** Its sample description, if there is exactly one. */
  readonly entry: SampleEntry | undefined
}

export interface SampleEntry {
  readonly format: string
  readonly bytes: Uint8Array
}

const MOST_MOOV_BYTES = 128 * 1024 * 1024
const MOST_TRACKS = 256
const TYPES: Readonly<Record<string, Mp4Track['type']>> = { vide: 'video', soun: 'audio' }

/** @throws Unsupported it is missing, or of an unknown kind */
export async function readMp4Header(file: BoundedFile): Promise<Mp4Header> {
  let moov: Uint8Array | undefined
  let isFragmented = false
  for await (const { type, dataStart, end } of boxesOfFile(file)) {
    if (type === 'moof') isFragmented = true
    if (type !== 'moov') continue
    if (moov || end - dataStart > MOST_MOOV_BYTES) throw new Unsupported('It has more headers than one')
    moov = await file.read(dataStart, end - dataStart)
    if (boxIn(moov, 'mvex')) isFragmented = true
    // The first fragment would come next, and there may be thousands.
    if (isFragmented) break
  }
  if (!moov) throw new Unsupported('It has no header')
  const tracks = [...boxesOf(moov)].filter(({ type }) => type === 'trak').map(({ bytes }) => readTrack(bytes))
  if (tracks.length > MOST_TRACKS) throw new Unsupported('It has too many tracks')
  return { timescale: timescaleOf(boxIn(moov, 'mvhd')), isFragmented, tracks }
}

function readTrack(trak: Uint8Array): Mp4Track {
  const media = boxIn(trak, 'mdia')
  const handler = boxIn(media, 'hdlr')
  return {
    type: TYPES[String.fromCharCode(...(handler ?? []).slice(8, 12))] ?? 'other',
    timescale: timescaleOf(boxIn(media, 'mdhd')),
    edits: boxIn(trak, 'edts', 'elst'),
    samples: boxIn(media, 'minf', 'stbl') ?? new Uint8Array(0),
    entry: onlyEntry(boxIn(media, 'minf', 'stbl', 'stsd')),
  }
}

/** For both mvhd and mdhd; 0 if it is cut off. */
function timescaleOf(header: Uint8Array | undefined): number {
  const offset = header?.[0] === 1 ? 20 : 12
  return header && header.length >= offset + 4 ? viewOf(header).getUint32(offset) : 0
}

const DESCRIPTION_HEAD_BYTES = 8

function onlyEntry(description: Uint8Array | undefined): SampleEntry | undefined {
  const entries = [...boxesOf(description?.subarray(DESCRIPTION_HEAD_BYTES) ?? new Uint8Array(0))]
  const [first] = entries
  return first && entries.length === 1 ? { format: first.type, bytes: first.bytes } : undefined
}
