/** Reads the heads of Matroska blocks: track, time, and whether a decoder can start there. */
import type { BoundedFile } from './bounded-file.ts'
import { Unsupported } from './unsupported.ts'
import { readHead, unsigned, vintAt, vintLength, type ElementHead } from './ebml.ts'
import * as ids from './matroska-ids.ts'

export interface BlockHead {
  /** Offset of the SimpleBlock or BlockGroup. */
  readonly offset: number
  /** Offset of the block's content, which ffmpeg also reports as the packet's position. */
  readonly dataOffset: number
  readonly track: number
  readonly ticks: number
  readonly isKey: boolean
  readonly isLaced: boolean
  readonly durationTicks: number | undefined
}

export interface Cluster {
  readonly head: ElementHead
  readonly ticks: number
}

/** Track number, time and flags. */
const BLOCK_HEAD_BYTES = 12
const MOST_IN_GROUP = 64
const KEY_FLAG = 0x80
const LACING_FLAGS = 0x06
/** Elements allowed between clusters. */
const OTHERS: ReadonlySet<number> = new Set([
  ids.CUES,
  ids.TAGS,
  ids.VOID,
  ids.CRC_32,
  ids.CHAPTERS,
  ids.ATTACHMENTS,
  ids.SEEK_HEAD,
  ids.INFO,
  ids.TRACKS,
])

/** The cluster at an offset. Its time comes before its blocks. @throws Unsupported there is none */
export async function readCluster(file: BoundedFile, offset: number, until: number): Promise<Cluster> {
  const head = await readHead(file, offset, until)
  if (head.id !== ids.CLUSTER || head.end === Infinity) throw new Unsupported('There is no cluster of known length')
  for (let at = head.dataStart; at < head.end;) {
    const child = await readHead(file, at, head.end)
    if (child.id === ids.TIMESTAMP) {
      return { head, ticks: unsigned(await file.read(child.dataStart, Math.min(8, child.end - child.dataStart))) }
    }
    if (child.id === ids.SIMPLE_BLOCK || child.id === ids.BLOCK_GROUP || child.end === Infinity) break
    at = child.end
  }
  throw new Unsupported('A cluster has no time')
}

export interface Stretch {
  readonly from: Cluster
  /** The first element to read in it. */
  readonly offset: number
  /** End of the segment. */
  readonly until: number
}

/** Blocks from an offset to the end of the file. @throws Unsupported if something is out of place */
export async function* blocksFrom(file: BoundedFile, { from, offset, until }: Stretch): AsyncGenerator<BlockHead> {
  let cluster: Cluster | undefined = from
  let at = offset
  while (cluster) {
    while (at < cluster.head.end) {
      const head = await readHead(file, at, cluster.head.end)
      const block = await blockOf(file, head, cluster)
      if (block) yield block
      at = head.end
    }
    cluster = await nextCluster(file, cluster.head.end, until)
    at = cluster?.head.dataStart ?? until
  }
}

async function nextCluster(file: BoundedFile, offset: number, until: number): Promise<Cluster | undefined> {
  for (let at = offset; at < until;) {
    const head = await readHead(file, at, until)
    if (head.id === ids.CLUSTER) return readCluster(file, at, until)
    if (!OTHERS.has(head.id) || head.end === Infinity) throw new Unsupported('There is something strange between clusters')
    at = head.end
  }
  return undefined
}

/** The block in an element of a cluster; undefined for other elements. */
export async function blockOf(file: BoundedFile, head: ElementHead, cluster: Cluster): Promise<BlockHead | undefined> {
  if (head.end === Infinity) throw new Unsupported('A block has no length')
  if (head.id === ids.BLOCK_GROUP) return groupedBlock(file, head, cluster)
  if (head.id !== ids.SIMPLE_BLOCK) return undefined
  const { flags, ...rest } = await readBlock(file, head, cluster)
  return { ...rest, offset: head.start, isKey: (flags & KEY_FLAG) !== 0, durationTicks: undefined }
}

async function groupedBlock(file: BoundedFile, group: ElementHead, cluster: Cluster): Promise<BlockHead> {
  let block: Awaited<ReturnType<typeof readBlock>> | undefined
  let durationTicks: number | undefined
  let isKey = true
  let at = group.dataStart
  for (let seen = 0; at < group.end; seen++) {
    if (seen === MOST_IN_GROUP) throw new Unsupported('A group of blocks is too long')
    const child = await readHead(file, at, group.end)
    if (child.id === ids.BLOCK) block = await readBlock(file, child, cluster)
    if (child.id === ids.REFERENCE_BLOCK) isKey = false
    if (child.id === ids.BLOCK_DURATION)
      durationTicks = unsigned(await file.read(child.dataStart, Math.min(9, child.end - child.dataStart)))
    at = child.end
  }
  if (!block) throw new Unsupported('A group holds no block')
  const { flags: _flags, ...rest } = block
  return { ...rest, offset: group.start, isKey, durationTicks }
}

async function readBlock(file: BoundedFile, { dataStart, end }: ElementHead, { ticks }: Cluster) {
  const bytes = await file.read(dataStart, Math.min(BLOCK_HEAD_BYTES, end - dataStart))
  const numberBytes = vintLength(bytes[0] ?? 0)
  const [high = 0, low = 0, flags] = bytes.subarray(numberBytes)
  if (numberBytes > 8 || flags === undefined) throw new Unsupported('A block is cut off')
  const track = vintAt(bytes, 0, numberBytes)
  // Signed, sixteen bits, relative to the cluster's time.
  const relative = ((high << 24) >> 16) | low
  return { dataOffset: dataStart, track, ticks: ticks + relative, flags, isLaced: (flags & LACING_FLAGS) !== 0 }
}
