/**
 * Handles subtitles that are burnt into the video of a session: which one a number means, which ones can be burnt in, and the attachment
 * with script and fonts that a job needs for a text subtitle.
 */
import { burnableKind, type BurnableSubtitle, type BurntSubtitle } from '../../../domain/streaming/burn-in.ts'
import { displaySize } from '../../../domain/streaming/ladder.ts'
import type { FileStamp, SubtitleTrack } from '../../../vocabulary/media-description.ts'
import { subtitleFormat } from '../../../vocabulary/subtitle-format.ts'
import { withTimeout } from '../../../concurrency/timeout.ts'
import { createLruCache, type LruCache } from '../../../concurrency/lru-cache.ts'
import { packedSize } from '../../../concurrency/length-prefixed.ts'
import { createSingleFlight, type SingleFlight } from '../../../concurrency/single-flight.ts'
import type { Clock } from '../../../ports/clock.ts'
import { MOST_FONTS, type MediaFonts } from '../../../ports/media-fonts.ts'
import type { Media } from '../../../ports/media.ts'
import type { TextReader } from '../../../ports/text-reader.ts'
import { digestOf, JOB_ATTACHMENT_MAX_BYTES, jobAttachmentOf, type JobAttachment } from '../agents/job-attachment.ts'
import type { NumberSubtitles } from './subtitle-numbers.ts'
import type { Subtitles, TimedSource } from './subtitles.ts'
import { orUnavailable } from './subtitle-unavailable.ts'
import { busy, isUnavailable, missing, type Unavailable } from '../segments/unavailable.ts'

export interface BurntSubtitles {
  /** Subtitles that can be burnt into the video of a film. */
  burnable(source: BurnSource): readonly BurnableSubtitle[]
  /** The subtitle with a number. */
  of(source: BurnSource, index: number): Promise<BurntSubtitle>
  /** For a text subtitle. */
  attachment(source: TimedSource, index: number): Promise<JobAttachment | Unavailable>
}

type BurnSource = Omit<TimedSource, 'zeroMs'>

export interface BurntSubtitlesOptions {
  readonly clock: Clock
  readonly media: Pick<Media, 'stamp'>
  readonly fonts: MediaFonts | undefined
  readonly numbered: NumberSubtitles
  readonly subtitles: Pick<Subtitles, 'bytes'>
  readonly reader: TextReader
}

const KEPT_ATTACHMENTS = 4
/** Each is only a few numbers. */
const KEPT_STAMPS = 1_000
/** A healthy drive answers sooner. */
const LOOK_MS = 1_000
/** With fonts they may be large. */
const KEPT_ATTACHMENT_BYTES = 8 * 1024 * 1024
const FONTS_TIMEOUT_MS = 30_000
/** Read to the end even if the viewer leaves: others may need it soon. */
const NOBODY = 'burnt-subtitles'
const NEVER = new AbortController().signal
const GONE = missing('The subtitle to burn in no longer exists')
const UNREADABLE = missing('The subtitle to burn in cannot be read')
const FONTS_UNREADABLE = busy('The fonts of the subtitle to burn in cannot be read', 5)

interface State extends BurntSubtitlesOptions {
  readonly attachments: LruCache<JobAttachment>
  readonly looks: SingleFlight<FileStamp | undefined>
  readonly stamps: LruCache<FileStamp>
}

export function createBurntSubtitles(options: BurntSubtitlesOptions): BurntSubtitles {
  const { numbered } = options
  const state: State = {
    ...options,
    attachments: createLruCache(KEPT_ATTACHMENTS),
    looks: createSingleFlight(),
    stamps: createLruCache(KEPT_STAMPS),
  }

  return {
    burnable: (source) =>
      [...numbered(source)].flatMap(([index, track]) => {
        const { language, title, forced, default: standard } = track
        const kind = burnableKind(track)
        return kind ? [{ index, language, title, forced, default: standard, kind }] : []
      }),
    async of(source, index) {
      const track = numbered(source).get(index)
      const isBitmap = track !== undefined && burnableKind(track) === 'bitmap'
      return { key: await keyOf(state, track, index), stream: isBitmap ? track.stream : null }
    },
    attachment: (source, index) => attachment(state, source, index),
  }
}

/**
 * Every segment checks the file: a folder that does not answer must not block a thread for each of them. Nor must it delay a segment that
 * already exists: until the file can be checked again, its last known stamp counts.
 */
async function stampOf(state: State, path: string): Promise<FileStamp | undefined> {
  const { stamps, looks, clock } = state
  const before = stamps.peek(path)
  const look = looks.join(path, () => lookAt(state, path), NEVER)
  if (!before) return look
  const stamp = await withTimeout(look, { clock, ms: LOOK_MS, message: 'It does not answer' }).catch(() => undefined)
  return stamp ?? before
}

async function lookAt({ media, stamps }: State, path: string): Promise<FileStamp | undefined> {
  const stamp = await media.stamp(path)
  if (stamp) stamps.put(path, stamp)
  return stamp
}

/** For a file beside the film the key includes its version: video with another version is another rendition. */
async function keyOf(state: State, track: SubtitleTrack | undefined, index: number): Promise<string> {
  if (!track) return `sub${index}-gone`
  if (track.path === null) return `sub${track.stream}`
  const { path } = track
  const stamp = await stampOf(state, path)
  const version = stamp ? `${path} ${stamp.sizeBytes} ${stamp.modifiedAtMs}` : path
  return `sub${index}-${digestOf(Buffer.from(version)).slice(0, 16)}`
}

async function contentsOf(
  { subtitles, reader, fonts }: State,
  source: TimedSource,
  track: SubtitleTrack,
): Promise<readonly Uint8Array[] | Unavailable> {
  const format = subtitleFormat(track.codec)
  const video = source.media.video[0]
  const bytes = format && (await subtitles.bytes(source, track, { viewer: NOBODY, signal: NEVER }))
  if (!format || !video || !bytes) return UNREADABLE
  if (isUnavailable(bytes)) return bytes
  const byMs = track.path === null ? 0 : source.zeroMs
  const form = { format, language: track.language, byMs, ...displaySize(video) }
  const script = await orUnavailable(reader.script(bytes, form))
  if (isUnavailable(script)) return script
  const attached = format === 'ass' && fonts ? await fontsOf(fonts, source) : []
  return attached ? [script, ...attached] : FONTS_UNREADABLE
}

/** Fails without fonts: the text would be drawn wrongly, and the result would be cached. */
async function fontsOf(from: MediaFonts, { path, fingerprint, media: { container } }: TimedSource) {
  const found = await from.of({ path, fingerprint, container }, AbortSignal.timeout(FONTS_TIMEOUT_MS)).catch(() => undefined)
  return found?.slice(0, MOST_FONTS)
}

async function attachment(state: State, source: TimedSource, index: number): Promise<JobAttachment | Unavailable> {
  const { numbered, attachments } = state
  const track = numbered(source).get(index)
  if (!track) return GONE
  const key = `${source.fingerprint} ${source.zeroMs} ${await keyOf(state, track, index)}`
  const known = attachments.get(key)
  if (known) return known
  const contents = await contentsOf(state, source, track)
  if (isUnavailable(contents)) return contents
  if (packedSize(contents) > JOB_ATTACHMENT_MAX_BYTES) return UNREADABLE
  const made = jobAttachmentOf(contents)
  if (made.bytes.byteLength <= KEPT_ATTACHMENT_BYTES) attachments.put(key, made)
  return made
}
