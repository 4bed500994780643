/**
 * Keeps the loudness of films: measures the sound of every film that a scan has found, one film after the other, after everything
 * else, so that it is known when the film is played. What was not done when the server stopped is found at the next start.
 */
import { decode } from '../events/codec.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Loudness } from '../ports/loudness.ts'
import type { Access } from './access.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'
import { reached } from './reached.ts'

export interface LoudnessKeepingDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly clock: Clock
  readonly documents: Pick<Documents, 'files'>
  readonly freshness: Pick<Freshness, 'reach'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly loudness: Loudness
}

/** A scan needs the disk. */
const SCAN_PAUSE_MS = 5_000

/** Runs until the signal. */
export async function keepLoudness(deps: LoudnessKeepingDependencies, signal: AbortSignal): Promise<void> {
  const { documents, freshness, log } = deps
  const from = await log.head()
  for await (const file of documents.files.walk({ where: [] })) await keep(deps, file, signal)
  for await (const batch of log.follow(from, signal)) {
    for (const event of batch.map(decode)) {
      if (event?.type !== 'MovieProbed') continue
      await reached(freshness, event.position, signal)
      await keep(deps, await documents.files.get(event.data.fileId), signal)
    }
  }
}

async function keep(deps: LoudnessKeepingDependencies, file: FileDocument | undefined, signal: AbortSignal): Promise<void> {
  const { access, clock, loudness } = deps
  signal.throwIfAborted()
  if (!file?.media || file.missing || file.media.audio.length === 0) return
  const { path, fingerprint, media } = file
  if (await loudness.kept(fingerprint)) return
  while ([...access.libraries.values()].some(({ scanning }) => scanning)) await clock.sleep(SCAN_PAUSE_MS, signal)
  await loudness.measure({ path, fingerprint, bitrateBps: media.bitrateBps, audio: media.audio }, signal)
}
