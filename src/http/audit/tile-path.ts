/** Paths of tiles as c2sp.org/tlog-tiles writes them: `<level>/<N>` or `entries/<N>`, N as `x001/x234/067`, a partial one with `.p/<width>`. */
import type { TileAsk } from '../../app/audit/audit-tiles.ts'

const FULL = 256
/** Of 256^5 leaves; no log is so long. */
const LEVEL_MAX = 5
const PATH = /^(\d|entries)\/((?:x\d{3}\/){0,3}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** Undefined for a path that names no tile. */
export function readTilePath(path: string): TileAsk | undefined {
  const [, level = '', digits = '', width = String(FULL)] = PATH.exec(path) ?? []
  const isPartial = path.includes('.p/')
  if (level === '' || Number(width) > FULL - (isPartial ? 1 : 0)) return undefined
  // The number has one form only: no groups of zeros before it.
  if (digits.startsWith('x000')) return undefined
  const ask = { index: Number(digits.replaceAll(/[x/]/g, '')), width: Number(width) }
  if (level === 'entries') return { level, ...ask }
  return Number(level) <= LEVEL_MAX ? { level: Number(level), ...ask } : undefined
}
