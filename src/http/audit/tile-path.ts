/** Parses tile paths as in c2sp.org/tlog-tiles: `<level>/<N>` or `entries/<N>`, N as `x001/x234/067`, a partial tile with `.p/<width>`. */
import type { TileAsk } from '../../app/audit/audit-tiles.ts'

const FULL = 256
/** A level of 256^5 leaves; no log is so long. */
const LEVEL_MAX = 5
const PATH = /^(\d|entries)\/((?:x\d{3}\/){0,3}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** Undefined if the path is not a tile's. */
export function readTilePath(path: string): TileAsk | undefined {
  const [, level = '', digits = '', width = String(FULL)] = PATH.exec(path) ?? []
  const isPartial = path.includes('.p/')
  if (level === '' || Number(width) > FULL - (isPartial ? 1 : 0)) return undefined
  // A number has only one form: without leading groups of zeros.
  if (digits.startsWith('x000')) return undefined
  const ask = { index: Number(digits.replaceAll(/[x/]/g, '')), width: Number(width) }
  if (level === 'entries') return { level, ...ask }
  return Number(level) <= LEVEL_MAX ? { level: Number(level), ...ask } : undefined
}
