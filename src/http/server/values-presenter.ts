/** Converts values to their form in responses. */
import type { ImageId } from '../../vocabulary/id.ts'

/** Seconds with at most three decimals. */
export const seconds = (ms: number) => Math.round(ms) / 1000

export const secondsOrNull = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : seconds(ms))

/** Converts a client's seconds to milliseconds: rounds further decimals, and keeps absurdly large values an exact integer. */
export const toMs = (value: number) => Math.min(Math.round(value * 1000), Number.MAX_SAFE_INTEGER)

export const time = (ms: number) => new Date(ms).toISOString()

/** One decimal, 0 to 100. */
export const percent = (part: number, whole: number) => (whole > 0 ? Math.round(Math.min(1, Math.max(0, part / whole)) * 1000) / 10 : 0)

export const imageUrl = (id: ImageId | null) => (id === null ? null : `/api/images/${id}`)

/** Last part of a path: file names are public, folders are not. */
export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)
