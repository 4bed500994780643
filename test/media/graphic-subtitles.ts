/**
 * Writes graphic subtitles (PGS, a `.sup` file), because ffmpeg has no encoder for them. Like on a Blu-ray, each event puts one object of
 * plain colour on a canvas, another removes it, and neither contains a duration.
 */

export interface Plate {
  readonly fromMs: number
  readonly toMs: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Canvas {
  readonly width: number
  readonly height: number
}

const TYPES = { palette: 0x14, object: 0x15, composition: 0x16, window: 0x17, end: 0x80 }
const EPOCH_START = 0x80
/** First and last part of the object at once. */
const WHOLE = 0xc0
/** Luma, Cr, Cb, opacity: white. */
const WHITE = [235, 128, 128, 255]
const COLOUR = 1

export function graphicSubtitles(canvas: Canvas, plates: readonly Plate[]): Buffer {
  return Buffer.concat(plates.flatMap((plate, index) => [shown(canvas, plate, 2 * index), cleared(canvas, plate, 2 * index + 1)]))
}

function shown(canvas: Canvas, { fromMs, x, y, width, height }: Plate, number: number): Buffer {
  const rows = Buffer.concat(Array.from({ length: height }, () => Buffer.from([0, WHOLE | (width >> 8), width & 0xff, COLOUR, 0, 0])))
  const object = Buffer.concat([Buffer.from([0, 0, 0, WHOLE]), three(rows.length + 4), two(width), two(height), rows])
  return event(fromMs, [
    [TYPES.composition, Buffer.concat([head(canvas, number), Buffer.from([1, 0, 0, 0, 0]), two(x), two(y)])],
    [TYPES.window, Buffer.concat([Buffer.from([1, 0]), two(x), two(y), two(width), two(height)])],
    [TYPES.palette, Buffer.from([0, 0, COLOUR, ...WHITE])],
    [TYPES.object, object],
    [TYPES.end, Buffer.alloc(0)],
  ])
}

function cleared(canvas: Canvas, { toMs, x, y, width, height }: Plate, number: number): Buffer {
  return event(toMs, [
    [TYPES.composition, Buffer.concat([head(canvas, number, 0), Buffer.from([0])])],
    [TYPES.window, Buffer.concat([Buffer.from([1, 0]), two(x), two(y), two(width), two(height)])],
    [TYPES.end, Buffer.alloc(0)],
  ])
}

/** Size, frame rate, number, state, palette. */
function head({ width, height }: Canvas, number: number, state = EPOCH_START): Buffer {
  return Buffer.concat([two(width), two(height), Buffer.from([0x10]), two(number), Buffer.from([state, 0, 0])])
}

function event(ms: number, segments: readonly (readonly [type: number, data: Buffer])[]): Buffer {
  const time = Buffer.alloc(8)
  time.writeUInt32BE(ms * 90)
  return Buffer.concat(
    segments.map(([type, data]) => Buffer.concat([Buffer.from('PG'), time, Buffer.from([type]), two(data.length), data])),
  )
}

const two = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const three = (value: number): Buffer => Buffer.from([value >> 16, (value >> 8) & 0xff, value & 0xff])
