/**
 * Extracts fonts from Matroska films and keeps them as `<folder>/<2 first hex>/<fingerprint>.fonts`, beside the texts. One file for each
 * film, so that no text from a film becomes a file name. They can be made again at any time, so they are files and not events.
 */
import { readFile } from 'node:fs/promises'
import { openMedia } from '../../drives/media-files.ts'
import { pack, unpack } from '../../concurrency/length-prefixed.ts'
import { MOST_FONT_BYTES, MOST_FONTS, type MediaFonts } from '../../ports/media-fonts.ts'
import { contentPath } from '../shared/content-path.ts'
import { writeWhole } from '../shared/whole-file.ts'
import { createBoundedFile } from '../containers/bounded-file.ts'
import { Unsupported } from '../containers/unsupported.ts'
import { readMatroskaFonts } from '../containers/matroska-fonts.ts'

const CONTAINERS: ReadonlySet<string> = new Set(['matroska', 'webm'])
/** Every attachment is examined, and the fonts are read. */
const BUDGET = { reads: 4_096, bytes: 2 * MOST_FONT_BYTES }

export function createMediaFonts({ folder }: { readonly folder: string }): MediaFonts {
  return {
    async of(mediaFile, signal) {
      if (!CONTAINERS.has(mediaFile.container)) return []
      const file = contentPath(folder, mediaFile.fingerprint, '.fonts')
      const kept = await readFile(file).catch(() => undefined)
      const known = kept && unpack(kept, MOST_FONTS)
      if (known) return known
      const fonts = await read(mediaFile.path, signal)
      // A full disk costs the copy, but does not fail the caller.
      if (fonts) await writeWhole(file, pack(fonts)).catch(() => undefined)
      return fonts
    },
  }
}

/** Undefined for a film that cannot be read. */
async function read(path: string, signal: AbortSignal): Promise<readonly Uint8Array[] | undefined> {
  const handle = await openMedia(path).catch(() => undefined)
  if (!handle) return undefined
  try {
    const { size: sizeBytes } = await handle.stat()
    const file = createBoundedFile({ file: handle, sizeBytes, signal, budget: BUDGET })
    return await readMatroskaFonts(file, { fonts: MOST_FONTS, bytes: MOST_FONT_BYTES })
  } catch (cause) {
    if (cause instanceof Unsupported) return []
    signal.throwIfAborted()
    return undefined
  } finally {
    handle.close()
  }
}
