/** Media indexes as JSON: bytes as base64, and a format version, so that older ones are made again. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { MediaIndex, TrackFacts } from '../../ports/media.ts'

const VERSION = 6
/** Beginning of a file of this version: allows a check without reading all of it. */
export const INDEX_HEAD = `{"version":${VERSION},`

type WrittenTrack = Omit<TrackFacts, 'configuration'> & {
  readonly configuration: { readonly type: NonNullable<TrackFacts['configuration']>['type']; readonly base64: string } | null
}
type WrittenIndex = Omit<MediaIndex, 'tracks'> & { readonly version: number; readonly tracks?: readonly WrittenTrack[] }

export function indexToJson(index: MediaIndex): string {
  const tracks = index.tracks?.map(({ configuration, ...rest }) => ({ ...rest, configuration: configuration && writtenOf(configuration) }))
  return JSON.stringify({ version: VERSION, ...index, ...omitUndefined({ tracks }) })
}

const writtenOf = ({ type, bytes }: NonNullable<TrackFacts['configuration']>) => ({ type, base64: Buffer.from(bytes).toString('base64') })

/** Undefined if damaged or of another version. */
export function indexFromJson(text: string): MediaIndex | undefined {
  if (!text.startsWith(INDEX_HEAD)) return undefined
  try {
    const { version: _version, tracks, ...index } = JSON.parse(text) as WrittenIndex
    const numbers = [index.zeroMs, index.videoStartMs, index.videoEndMs, index.audioStartMs ?? 0, ...index.keyframesMs.slice(0, 1)]
    if (!numbers.every(Number.isFinite)) return undefined
    return tracks ? { ...index, tracks: tracks.map(trackFrom) } : index
  } catch {
    return undefined
  }
}

function trackFrom({ configuration, ...rest }: WrittenTrack): TrackFacts {
  if (!configuration) return { ...rest, configuration }
  return { ...rest, configuration: { type: configuration.type, bytes: new Uint8Array(Buffer.from(configuration.base64, 'base64')) } }
}
