/**
 * Extracts text tracks of films by ffmpeg and keeps them as `<folder>/<2 first hex>/<fingerprint>-<stream>.<format>`. They can be made
 * again at any time, so they are files and not events.
 */
import { access, readFile } from 'node:fs/promises'
import { subtitleFormat, type SubtitleFormat } from '../../vocabulary/subtitle-format.ts'
import type { Clock } from '../../ports/clock.ts'
import { MediaReadLost, type MediaRead, type ReadText, type RunningMediaRead, type StartMediaRead } from '../../ports/media-reads.ts'
import type { TextTracks, Stretch, TextMediaFile, TextTrack } from '../../ports/text-tracks.ts'
import { contentPath, isFingerprint } from '../shared/content-path.ts'
import { writeWhole } from '../shared/whole-file.ts'
import { startBounded, untilRead } from './bounded-read.ts'
import { createMatroskaReader, type MatroskaBlock } from './piped-matroska.ts'
import { backgroundReadRate } from './read-rate.ts'
import { createSubtitleDocument } from './subtitle-documents.ts'

export interface TextTracksOptions {
  readonly clock: Clock
  readonly folder: string
  readonly start: StartMediaRead
}

const WHOLE_TIMEOUT_MS = 30 * 60_000
const BACKGROUND_TIMEOUT_MS = 3 * 60 * 60_000
const STRETCH_TIMEOUT_MS = 20_000
/** Longest display time of a cue: cues that began this long before a stretch are still visible in it. */
const PRE_ROLL_MS = 30_000
/** Text may lie behind the audio of the same time. */
const OVERRUN_MS = 2_000
const MAX_TRACKS = 64

export function createTextTracks(options: TextTracksOptions): TextTracks {
  const fileOf = ({ fingerprint }: TextMediaFile, { stream, codec }: TextTrack): string => {
    const format = subtitleFormat(codec)
    if (!isFingerprint(fingerprint) || !Number.isSafeInteger(stream) || !format) throw new Error('Not a text track')
    return contentPath(options.folder, fingerprint, `-${stream}.${format}`)
  }
  return {
    async isKept(mediaFile) {
      for (const track of mediaFile.tracks.slice(0, MAX_TRACKS)) if (!(await exists(fileOf(mediaFile, track)))) return false
      return true
    },
    kept: (mediaFile, track) => readFile(fileOf(mediaFile, track)).catch(() => undefined),
    async takeOut(mediaFile, { background, signal }) {
      const tracks = mediaFile.tracks.slice(0, MAX_TRACKS)
      const readRate = background ? backgroundReadRate(mediaFile.bitrateBps) : null
      const asked = { type: 'texts', tracks: tracks.map(textOf), readRate } as const
      const timeoutMs = background ? BACKGROUND_TIMEOUT_MS : WHOLE_TIMEOUT_MS
      const texts = await read(options, {
        path: mediaFile.path,
        read: asked,
        tracks,
        signal,
        timeoutMs,
        idle: background,
        isEnd: () => false,
      })
      if (!texts) return false
      for (const [index, track] of tracks.entries()) await keep(fileOf(mediaFile, track), texts[index] ?? Buffer.alloc(0))
      return true
    },
    async stretch(mediaFile, stretch, signal) {
      const isEnd = ({ track, startMs }: MatroskaBlock): boolean => track === 2 && startMs > stretch.toMs + OVERRUN_MS
      const bounds = { timeoutMs: STRETCH_TIMEOUT_MS, patienceMs: STRETCH_TIMEOUT_MS, signal }
      const reading = { path: mediaFile.path, read: stretchOf(mediaFile, stretch), tracks: [stretch.track], idle: false, isEnd, ...bounds }
      return (await read(options, reading))?.[0]
    },
  }
}

/** Seeks count from the container's start, even if timestamps are kept unchanged. */
function seekTo({ startMs }: TextMediaFile, { fromMs }: Stretch): number | null {
  const seekMs = fromMs - PRE_ROLL_MS - startMs
  return seekMs > 0 ? seekMs : null
}

const textOf = ({ stream, codec }: TextTrack): ReadText => ({ stream, as: codec === 'mov_text' ? 'srt' : 'copy' })

/**
 * Copying the audio with the text shows how far the film has been read; without it, the next text may be minutes away. Not for MP4: there
 * only the text is read, and converted text may come later than audio of a later time.
 */
function stretchOf(mediaFile: TextMediaFile, stretch: Stretch): MediaRead {
  const { track, toMs } = stretch
  const pacer = track.codec === 'mov_text' ? null : mediaFile.pacer
  return { type: 'text-stretch', track: textOf(track), seekMs: seekTo(mediaFile, stretch), toMs, pacer }
}

interface Reading {
  readonly path: string
  readonly read: MediaRead
  readonly tracks: readonly TextTrack[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly patienceMs?: number
  readonly idle: boolean
  /** Whether everything wanted lies before this block. */
  readonly isEnd: (block: MatroskaBlock) => boolean
}

/** The tracks as files; undefined if ffmpeg did not reach the end, or no agent could do it. */
async function read(options: TextTracksOptions, reading: Reading): Promise<readonly Buffer[] | undefined> {
  const { clock } = options
  return untilRead(clock, () => readOnce(options, reading), reading.signal).catch((cause: unknown) => {
    if (cause instanceof MediaReadLost) return undefined
    throw cause
  })
}

async function readOnce(options: TextTracksOptions, reading: Reading): Promise<readonly Buffer[] | undefined> {
  const { tracks, signal, idle, isEnd, ...order } = reading
  const { child, end } = startBounded(options, { ...order, priority: idle ? 'idle' : 'now', signal })
  try {
    const reader = createMatroskaReader()
    const documents = tracks.map(({ codec }) => createSubtitleDocument(formatOf(codec)))
    const ended = await gather(child, (bytes) => {
      for (const block of reader.push(bytes)) {
        documents[block.track - 1]?.add(block)
        if (isEnd(block)) return true
      }
      return false
    })
    signal.throwIfAborted()
    return ended ? documents.map((document, index) => document.bytes(reader.headers.get(index + 1))) : undefined
  } finally {
    end()
  }
}

const formatOf = (codec: string): SubtitleFormat => subtitleFormat(codec) ?? 'subrip'

/** True when everything wanted was read; reading continues past damage in a film. */
async function gather(child: RunningMediaRead, isEnough: (bytes: Uint8Array) => boolean): Promise<boolean> {
  try {
    for await (const bytes of child.output) if (isEnough(bytes)) return true
  } catch (cause) {
    if (cause instanceof MediaReadLost) throw cause
    return false
  }
  const { code, errors } = await child.exited
  return code === 0 && !/Input\/output error/i.test(errors)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** A full disk costs the copy, but does not fail the caller. */
const keep = (file: string, bytes: Buffer): Promise<void> => writeWhole(file, bytes).catch(() => undefined)
