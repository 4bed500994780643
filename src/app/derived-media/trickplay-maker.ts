/**
 * Makes the trickplay of one film: for each interval its keyframe, else the frame shown at the start of the interval. Stores either all
 * frames or nothing. Holds the frames of one sheet in memory at a time.
 */
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import {
  grabFor,
  intervalOf,
  isKeyframe,
  isNearer,
  standsFor,
  TRICKPLAY,
  trickplayWork,
  type TrickplayWork,
} from '../../domain/streaming/trickplay.ts'
import type { Media } from '../../ports/media.ts'
import type { MediaFrame, MediaFileWithFrames, TrickplayMaker } from '../../ports/trickplay-maker.ts'
import type { Drafted, TrickplayDraft } from '../../ports/trickplay-store.ts'

export interface TrickplaySource {
  readonly path: string
  readonly fingerprint: string
  readonly media: MediaDescription
}

export interface TrickplayRun {
  readonly maker: TrickplayMaker
  readonly media: Pick<Media, 'index'>
}

interface Making {
  readonly maker: TrickplayMaker
  readonly mediaFile: MediaFileWithFrames
  readonly work: TrickplayWork
  readonly signal: AbortSignal
}

/** Undefined if the film does not have all of these frames. @throws the signal's reason, or why the film cannot be read */
export async function makeTrickplay(
  { maker, media }: TrickplayRun,
  { path, fingerprint, media: description }: TrickplaySource,
  { draft, signal }: { readonly draft: TrickplayDraft; readonly signal: AbortSignal },
): Promise<Drafted | undefined> {
  const { durationMs, bitrateBps } = description
  const work = trickplayWork(description, await media.index(path, fingerprint, signal))
  if (!work) return undefined
  const { width, height } = work
  const { intervalMs, columns, rows } = TRICKPLAY
  const ptsMs: number[] = []
  let sheet: Uint8Array[] = []
  const flush = async (): Promise<void> => {
    await draft.add(await maker.sheet(sheet, { columns, rows, width, height }))
    sheet = []
  }
  const hasRoom = (): boolean => sheet.length > 0 && sheet.length < columns * rows
  for await (const frame of framesOf({ maker, work, signal, mediaFile: { path, durationMs, bitrateBps, ...work } })) {
    if (!frame) return undefined
    ptsMs.push(Math.round(frame.atMs * 1000) / 1000)
    sheet.push(frame.jpeg)
    if (sheet.length === columns * rows) await flush()
  }
  // Players that count by the clock look for the last moments beyond the last frame, so repeat that frame.
  for (let at = ptsMs.length * intervalMs; at < durationMs && hasRoom(); at += intervalMs) sheet.push(...sheet.slice(-1))
  if (sheet.length > 0) await flush()
  return { intervalMs, columns, rows, width, height, durationMs, ptsMs }
}

/** One frame per interval; the first missing one ends the sequence. */
async function* framesOf(making: Making): AsyncGenerator<MediaFrame | undefined> {
  const { maker, mediaFile, work, signal } = making
  let interval = 0
  let found: MediaFrame | undefined
  for await (const frame of work.readsThrough ? maker.keyframes(mediaFile, signal) : []) {
    const at = isKeyframe(work, frame.atMs) ? intervalOf(frame.atMs) : -1
    if (at < interval || at >= work.thumbnails) continue
    for (; interval < at; interval++, found = undefined) yield found ?? (await grab(making, interval))
    if (!found || isNearer(interval, frame.atMs, found.atMs)) found = frame
  }
  for (; interval < work.thumbnails; interval++, found = undefined) yield found ?? (await grab(making, interval))
}

async function grab({ maker, mediaFile, work, signal }: Making, interval: number): Promise<MediaFrame | undefined> {
  const frame = await maker.frameFrom(mediaFile, grabFor(work, interval), signal)
  return frame && standsFor(interval, frame.atMs, work) ? frame : undefined
}
