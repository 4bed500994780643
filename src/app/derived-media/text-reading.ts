/** The domain's text readers, as threads and tests call them. */
import { burntScript } from '../../domain/subtitles/burn-in-script.ts'
import { readNfo } from '../../domain/scans/nfo.ts'
import { decodeSubtitle } from '../../domain/subtitles/subtitle-encoding.ts'
import { decodeUnicode } from '../../domain/subtitles/byte-encodings.ts'
import { readCues } from '../../domain/subtitles/subtitle-text.ts'
import type { TextReading } from '../../ports/text-reader.ts'

export const textReading: TextReading = {
  isUnicode: (bytes) => decodeUnicode(bytes) !== undefined,
  cues: (bytes, { format, language }) => readCues(decodeSubtitle(bytes, language), format),
  script: (bytes, { language, ...options }) => Buffer.from(burntScript(decodeSubtitle(bytes, language), options)),
  nfo: readNfo,
}
