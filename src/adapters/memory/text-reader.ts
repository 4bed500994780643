/** Parses texts in the calling thread: for tests. */
import type { TextReader, TextReading } from '../../ports/text-reader.ts'

export function createMemoryTextReader(reading: TextReading): TextReader {
  return {
    cues: async (bytes, form) => reading.cues(bytes, form),
    script: async (bytes, form) => reading.script(bytes, form),
    nfo: async (bytes) => reading.nfo(bytes),
    close: async () => {},
  }
}
