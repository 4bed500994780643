/** Describes the text tracks inside a film, for extraction. */
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import { subtitleFormat } from '../../vocabulary/subtitle-format.ts'
import type { TextMediaFile, TextTrack } from '../../ports/text-tracks.ts'

interface StreamedFile {
  readonly path: string
  readonly fingerprint: string
  readonly media: MediaDescription
}

/** Has no tracks if the film has no text. */
export function textMediaFile({ path, fingerprint, media }: StreamedFile): TextMediaFile {
  const tracks = media.subtitles.flatMap(({ stream, codec }): readonly TextTrack[] =>
    stream !== null && subtitleFormat(codec) ? [{ stream, codec }] : [],
  )
  return { path, fingerprint, startMs: media.startMs, bitrateBps: media.bitrateBps, pacer: pacerOf(media), tracks }
}

/** The smallest audio track: it is read along with the text as a timing reference. */
function pacerOf({ audio, video }: MediaDescription): number | null {
  const [smallest] = audio.toSorted((a, b) => (a.bitrateBps ?? Infinity) - (b.bitrateBps ?? Infinity) || a.stream - b.stream)
  return smallest?.stream ?? video[0]?.stream ?? null
}
