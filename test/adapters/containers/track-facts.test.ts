import t from 'tap'
import { matroskaFacts } from '../../../src/adapters/containers/matroska-facts.ts'
import type { MatroskaTrack } from '../../../src/adapters/containers/matroska-header.ts'
import { mp4Facts } from '../../../src/adapters/containers/mp4-facts.ts'
import type { Mp4Track } from '../../../src/adapters/containers/mp4-header.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** An EBML element whose length takes four bytes. */
function element(id: string, ...content: readonly (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? bytes(part) : part)))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(0x10000000 + body.length)
  return Buffer.concat([bytes(id), length, body])
}

function box(type: string, ...content: readonly (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? bytes(part) : part)))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + body.length)
  return Buffer.concat([size, Buffer.from(type), body])
}

const float = (value: number): Buffer => {
  const written = Buffer.alloc(8)
  written.writeDoubleBE(value)
  return written
}

const matroska = (codecId: string, entry: Buffer, type: MatroskaTrack['type'] = 'video'): MatroskaTrack => ({
  number: 1,
  type,
  codecId,
  entry,
  frameNs: 0,
  delayNs: 0,
  isScaled: false,
})
const mp4 = (type: Mp4Track['type'], format: string, entry: Buffer): Mp4Track => ({
  type,
  timescale: 1000,
  edits: undefined,
  samples: Buffer.alloc(0),
  entry: { format, bytes: entry },
})

const P3 = { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], whitePoint: [0.3127, 0.329] }
const DOLBY_VISION = '01 00 10 35 10 0000'

t.test('Matroska reports HDR10 and Dolby Vision beside the codec', async (t) => {
  const points = [P3.red, P3.green, P3.blue, P3.whitePoint].flat().map((value, index) => element(`55d${index + 1}`, float(value)))
  const mastering = element('55d0', ...points, element('55d9', float(1000)), element('55da', float(0.005)))
  const colour = element('55b0', element('55bc', '03e8'), element('55bd', '0190'), mastering)
  const mapping = element('41e4', element('41e7', Buffer.from('dvvC')), element('41ed', DOLBY_VISION))
  const entry = Buffer.concat([element('63a2', '01 02 20'), element('e0', colour), mapping])
  t.strictSame(matroskaFacts([matroska('V_MPEGH/ISO/HEVC', entry)]), [
    {
      type: 'video',
      configuration: { type: 'hvcC', bytes: bytes('01 02 20') },
      hdr: {
        mastering: { ...P3, mostNits: 1000, leastNits: 0.005 },
        contentLight: { peakNits: 1000, averageNits: 400 },
        dolbyVision: { profile: 8, level: 6, compatibilityId: 1 },
      },
    },
  ])
})

t.test('MP4 reports HDR10 and Dolby Vision beside the codec', async (t) => {
  const points = [P3.green, P3.blue, P3.red, P3.whitePoint].flat().map((value) => Math.round(value * 50_000))
  const mastering = Buffer.alloc(24)
  for (const [index, value] of points.entries()) mastering.writeUInt16BE(value, index * 2)
  mastering.writeUInt32BE(10_000_000, 16)
  mastering.writeUInt32BE(50, 20)
  const boxes = [box('hvcC', '01 02 20'), box('mdcv', mastering), box('clli', '03e8 0190'), box('dvvC', DOLBY_VISION)]
  t.strictSame(mp4Facts([mp4('video', 'hvc1', Buffer.concat([Buffer.alloc(78), ...boxes]))]), [
    {
      type: 'video',
      configuration: { type: 'hvcC', bytes: bytes('01 02 20') },
      hdr: {
        mastering: { ...P3, mostNits: 1000, leastNits: 0.005 },
        contentLight: { peakNits: 1000, averageNits: 400 },
        dolbyVision: { profile: 8, level: 6, compatibilityId: 1 },
      },
    },
  ])
})

t.test('sound of each version of QuickTime is found, and nothing where the boxes make no sense', async (t) => {
  const version = (number: number, headBytes: number): Buffer => {
    const head = Buffer.alloc(headBytes)
    head.writeUInt16BE(number, 8)
    return head
  }
  const configurations = (entry: Buffer) => mp4Facts([mp4('audio', 'mp4a', entry)]).map(({ configuration }) => configuration?.type)
  t.strictSame(configurations(Buffer.concat([version(0, 28), box('esds', '00')])), ['esds'])
  t.strictSame(configurations(Buffer.concat([version(1, 44), box('wave', box('frma', '6d703461'), box('esds', '00'))])), ['esds'])
  t.strictSame(configurations(Buffer.concat([version(2, 64), box('esds', '00')])), ['esds'])
  t.strictSame(configurations(Buffer.concat([version(9, 28), box('esds', '00')])), [undefined])
  t.strictSame(configurations(Buffer.concat([version(0, 28), bytes('ffffffff 65736473 00')])), [undefined])
})

t.test('Matroska lists audio that needs no configuration, and omits packed audio', async (t) => {
  const packed = element('6d80', element('6240', element('5032', '02')))
  const tracks = [
    matroska('A_AC3', Buffer.alloc(0), 'audio'),
    matroska('A_AAC', element('63a2', '1190'), 'audio'),
    matroska('A_AAC', Buffer.concat([element('63a2', '1190'), packed]), 'audio'),
    matroska('A_VORBIS', element('63a2', '02'), 'audio'),
    matroska('S_TEXT/UTF8', Buffer.alloc(0), 'other'),
  ]
  t.strictSame(
    matroskaFacts(tracks).map(({ configuration }) => configuration),
    [{ type: 'dac3', bytes: new Uint8Array(0) }, { type: 'asc', bytes: bytes('1190') }, null, null],
  )
})
