/** Messages of MongoDB's wire protocol: OP_MSG, and OP_QUERY with OP_REPLY, which the driver uses for its hello. Sizes are in bytes. */
import { BSON, type Document } from 'mongodb'

export interface Request {
  readonly id: number
  readonly isLegacy: boolean
  /** The sender expects no reply. */
  readonly isOneWay: boolean
  readonly command: Document
}

const HEADER = 16
const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2
const REPLY_HEAD = 20

/** Takes complete messages from the front; returns the rest. */
export function takeMessages(bytes: Buffer): { readonly messages: readonly Buffer[]; readonly rest: Buffer } {
  const messages: Buffer[] = []
  let rest = bytes
  while (rest.length >= HEADER && rest.length >= rest.readInt32LE(0)) {
    const length = rest.readInt32LE(0)
    messages.push(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  return { messages, rest }
}

export function readRequest(message: Buffer): Request {
  const id = message.readInt32LE(4)
  const code = message.readInt32LE(12)
  if (code === OP_QUERY) return { id, isLegacy: true, isOneWay: false, command: queryOf(message) }
  if (code !== OP_MSG) throw new Error(`No messages of the kind ${code}`)
  const flags = message.readUInt32LE(HEADER)
  const end = flags & CHECKSUM_PRESENT ? message.length - 4 : message.length
  return { id, isLegacy: false, isOneWay: (flags & MORE_TO_COME) > 0, command: sectionsOf(message.subarray(HEADER + 4, end)) }
}

function queryOf(message: Buffer): Document {
  // Flags, the collection's name, two numbers.
  const nameEnd = message.indexOf(0, HEADER + 4)
  return documentAt(message, nameEnd + 9)
}

/** The body, with the documents of the other sections as its members. */
function sectionsOf(bytes: Buffer): Document {
  let command: Document = {}
  const lists: Document = {}
  for (let at = 0; at < bytes.length;) {
    const kind = bytes[at++]
    const size = bytes.readInt32LE(at)
    if (kind === 0) command = documentAt(bytes, at)
    else {
      const nameEnd = bytes.indexOf(0, at + 4)
      lists[bytes.toString('utf8', at + 4, nameEnd)] = documentsIn(bytes.subarray(nameEnd + 1, at + size))
    }
    at += size
  }
  return { ...command, ...lists }
}

function documentsIn(bytes: Buffer): readonly Document[] {
  const documents: Document[] = []
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) documents.push(documentAt(bytes, at))
  return documents
}

const documentAt = (bytes: Buffer, at: number): Document => BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)))

export function writeReply({ id, isLegacy }: Request, reply: Document): Buffer {
  const body = Buffer.from(BSON.serialize(reply, { ignoreUndefined: true }))
  const head = isLegacy ? Buffer.alloc(HEADER + REPLY_HEAD) : Buffer.alloc(HEADER + 5)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(id, 8)
  head.writeInt32LE(isLegacy ? OP_REPLY : OP_MSG, 12)
  if (isLegacy) head.writeInt32LE(1, HEADER + 16)
  return Buffer.concat([head, body])
}
