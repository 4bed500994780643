/** Text tracks given as data, for tests of their users. The test decides how long reading a film takes. */
import type { TextTracks, TextMediaFile } from '../../ports/text-tracks.ts'

export interface MemoryTextTracksOptions {
  /** The subtitle file of each stream, for every film. */
  readonly texts?: Readonly<Record<number, string>>
  /** Awaited before a film has been read, whole or in part; false: it cannot be read. */
  readonly reading?: (kind: 'whole' | 'background' | 'stretch', signal: AbortSignal) => Promise<boolean>
}

export interface MemoryTextTracks extends TextTracks {
  /** Kinds of all reads so far. */
  readonly reads: readonly ('whole' | 'background' | 'stretch')[]
  keep(mediaFile: Pick<TextMediaFile, 'fingerprint'>): void
}

export function createMemoryTextTracks({ texts = {}, reading = async () => true }: MemoryTextTracksOptions = {}): MemoryTextTracks {
  const mediaFiles = new Set<string>()
  const reads: MemoryTextTracks['reads'][number][] = []
  const bytesOf = (stream: number): Uint8Array => new TextEncoder().encode(texts[stream] ?? '')

  async function read(kind: MemoryTextTracks['reads'][number], signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    reads.push(kind)
    const isRead = await reading(kind, signal)
    signal.throwIfAborted()
    return isRead
  }

  return {
    reads,
    keep: ({ fingerprint }) => void mediaFiles.add(fingerprint),
    isKept: async ({ fingerprint }) => mediaFiles.has(fingerprint),
    kept: async ({ fingerprint }, { stream }) => (mediaFiles.has(fingerprint) ? bytesOf(stream) : undefined),
    async takeOut({ fingerprint }, { background, signal }) {
      const isRead = await read(background ? 'background' : 'whole', signal)
      if (isRead) mediaFiles.add(fingerprint)
      return isRead
    },
    stretch: async (_mediaFile, { track }, signal) => ((await read('stretch', signal)) ? bytesOf(track.stream) : undefined),
  }
}
