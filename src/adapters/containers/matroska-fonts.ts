/** Reads fonts from the attachments of a Matroska file: recognised by their first bytes, whatever their name or type. */
import type { BoundedFile } from './bounded-file.ts'
import { Unsupported } from './unsupported.ts'
import { readHead, type ElementHead } from './ebml.ts'
import * as ids from './matroska-ids.ts'
import { findSegmentPart } from './matroska-header.ts'

export interface FontLimits {
  readonly fonts: number
  readonly bytes: number
}

const MOST_ATTACHMENTS = 1000
const MOST_PARTS = 100
const MAGIC_BYTES = 4
/** TrueType in its two forms, OpenType, a collection. Not WOFF, which libass does not read. */
const FONT_MAGICS: ReadonlySet<string> = new Set(['00010000', '74727565', '4f54544f', '74746366'])

/** @throws Unsupported the file's structure is not supported here */
export async function readMatroskaFonts(file: BoundedFile, limits: FontLimits): Promise<readonly Uint8Array[]> {
  const attachments = await findSegmentPart(file, ids.ATTACHMENTS)
  if (!attachments) return []
  const fonts: Uint8Array[] = []
  let bytesLeft = limits.bytes
  for await (const attachment of childrenOf(file, attachments, MOST_ATTACHMENTS)) {
    if (attachment.id !== ids.ATTACHED_FILE || fonts.length === limits.fonts) continue
    for await (const part of childrenOf(file, attachment, MOST_PARTS)) {
      const sizeBytes = part.end - part.dataStart
      if (part.id !== ids.FILE_DATA || sizeBytes > bytesLeft || !(await isFont(file, part))) continue
      fonts.push(await file.read(part.dataStart, sizeBytes))
      bytesLeft -= sizeBytes
      break
    }
  }
  return fonts
}

async function isFont(file: BoundedFile, { dataStart, end }: ElementHead): Promise<boolean> {
  if (end - dataStart <= MAGIC_BYTES) return false
  return FONT_MAGICS.has(Buffer.from(await file.read(dataStart, MAGIC_BYTES)).toString('hex'))
}

async function* childrenOf(file: BoundedFile, { dataStart, end }: ElementHead, most: number): AsyncGenerator<ElementHead> {
  const until = Math.min(end, file.sizeBytes)
  let seen = 0
  for (let at = dataStart; at < until;) {
    const head = await readHead(file, at, until)
    if (head.end === Infinity || ++seen > most) throw new Unsupported('Its attachments are in no usual order')
    yield head
    at = head.end
  }
}
