/**
 * Parses the edit list of an MP4 track: which part of it is shown, and when that starts. Only the forms common in films are supported: an
 * empty edit that delays the track, and one stretch.
 */
import { viewOf } from './boxes.ts'
import { Unsupported } from './unsupported.ts'
import type { Mp4Track } from './mp4-header.ts'

/** In ticks of the track. */
export interface Edit {
  readonly delay: number
  readonly from: number
  /** End of the part shown. */
  readonly until: number
}

const HEAD_BYTES = 8
const NORMAL_RATE = 0x10000
const EMPTY = -1

/** Undefined if the track is shown unchanged. @throws Unsupported for any other list */
export function editOf({ edits, timescale }: Mp4Track, movieTimescale: number): Edit | undefined {
  const [first, second, ...more] = entriesOf(edits)
  if (!first) return undefined
  const shown = first.mediaTime === EMPTY ? second : first
  const isSimple = shown && shown.mediaTime >= 0 && shown.length > 0 && shown.rate === NORMAL_RATE
  if (!isSimple || more.length > 0 || (second && shown !== second)) throw new Unsupported('It is edited')
  if (movieTimescale === 0) throw new Unsupported('Its edits have no clock')
  const ticks = (length: number): number => Math.round((length * timescale) / movieTimescale)
  const delay = shown === first ? 0 : ticks(first.length)
  return { delay, from: shown.mediaTime, until: shown.mediaTime + ticks(shown.length) }
}

/**
 * Whether its list shows several stretches, possibly one twice, or pauses after one: packets are then not in timeline order, and some are
 * shown more than once.
 */
export function isSpliced({ edits }: Pick<Mp4Track, 'edits'>): boolean {
  try {
    const entries = entriesOf(edits)
    const firstShown = entries.findIndex(({ mediaTime }) => mediaTime !== EMPTY)
    return firstShown >= 0 && firstShown < entries.length - 1
  } catch (cause) {
    if (cause instanceof Unsupported) return true
    throw cause
  }
}

function entriesOf(box: Uint8Array | undefined) {
  if (!box || box.length < HEAD_BYTES) return []
  const view = viewOf(box)
  const isLong = view.getUint8(0) === 1
  const entryBytes = isLong ? 20 : 12
  const count = view.getUint32(4)
  if (HEAD_BYTES + count * entryBytes > box.length || count > 16) throw new Unsupported('It is edited')
  return Array.from({ length: count }, (_, entry) => {
    const at = HEAD_BYTES + entry * entryBytes
    return isLong
      ? { length: Number(view.getBigUint64(at)), mediaTime: Number(view.getBigInt64(at + 8)), rate: view.getUint32(at + 16) }
      : { length: view.getUint32(at), mediaTime: view.getInt32(at + 4), rate: view.getUint32(at + 8) }
  })
}
