/** Media in folders of this machine, examined with ffprobe. */
import { basename } from 'node:path'
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Media } from '../../ports/media.ts'
import { NotPlayable } from '../../ports/media.ts'
import { MediaReadLost, type StartMediaRead } from '../../ports/media-reads.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { FfprobeOutput } from './ffprobe-output.ts'
import type { RunFfprobe } from './ffprobe.ts'
import { createFfprobe } from './ffprobe.ts'
import { mediaLengthMs } from './media-length.ts'
import { fingerprintOf, NotAFile, readHead, readSmallFile, stampOf } from './file-reads.ts'
import { mediaDescriptionFromFfprobe } from './media-description-from-ffprobe.ts'
import { createJoinedFilms, type FindJoined } from './joined-films.ts'
import { buildIndex } from './index-builder.ts'
import { createMediaIndex, hasIndex } from './media-index.ts'
import { untilRead } from './bounded-read.ts'
import { EMPTY, NO_FILE, reasonFromErrors, reasonFromOutput, UNREADABLE } from './not-playable.ts'
import { createRootLooks } from './root-looks.ts'
import { subfoldersOf } from './subfolders.ts'
import { listFolders } from './walk.ts'

export interface MediaDependencies {
  readonly start: StartMediaRead
  readonly clock: Clock
  readonly indexFolder: string
  readonly findJoined?: FindJoined
}

const PROBE_TIMEOUT_MS = 30_000
const FILE_TIMEOUT_MS = 30_000
const HEALTH_TIMEOUT_MS = 10_000
const HEAD_BYTES = 64
const DESCRIPTION_CHARACTERS = 8_000_000

export function createMedia({ start, clock, indexFolder, findJoined = createJoinedFilms() }: MediaDependencies): Media {
  const ffprobe = createFfprobe({ start, clock })
  const untilKnown = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => untilRead(clock, work, signal).catch(refuseDeadly)
  const onFile = <T>(work: Promise<T>): Promise<T> => withTimeout(work, { clock, ms: FILE_TIMEOUT_MS, message: UNREADABLE })
  return {
    health: createRootLooks(clock),
    list: (root, options) => listFolders(root, options),
    subfolders: (path) =>
      withTimeout(subfoldersOf(path), { clock, ms: HEALTH_TIMEOUT_MS, message: UNREADABLE }).catch(() => ({
        available: false,
        reason: 'unreadable',
      })),
    stamp: (path) => onFile(stampOf(path)).catch(() => undefined),
    fingerprint: (path) =>
      onFile(fingerprintOf(path)).catch((cause: unknown) => {
        throw new NotPlayable(UNREADABLE, { cause })
      }),
    probe: (path, signal) =>
      untilKnown(() => probe({ ffprobe, findJoined, path, signal, head: onFile(readHead(path, HEAD_BYTES)) }), signal),
    index: createMediaIndex({
      folder: indexFolder,
      // Earlier versions of the server took the times of films in parts as they are.
      isOutdated: async (path, { parts }) => parts === undefined && (await findJoined(path)) !== undefined,
      async make(path, fingerprint, signal) {
        const made = await untilKnown(() => buildIndex({ ffprobe, clock, findJoined }, path, signal), signal)
        // A film that was replaced meanwhile has an index, but not under this fingerprint.
        const { current, former } = (await onFile(fingerprintOf(path)).catch(() => undefined)) ?? {}
        return { ...made, whole: made.whole && (fingerprint === current || fingerprint === former) }
      },
    }),
    parts: async (path) => (await findJoined(path))?.parts,
    hasIndex: (fingerprint) => onFile(hasIndex(indexFolder, fingerprint)).catch(() => false),
    readSmall: (path, limitBytes) => onFile(readSmallFile(path, limitBytes)).catch(() => undefined),
  }
}

/** A film that crashes one agent after the other is not read any further. */
function refuseDeadly(cause: unknown): never {
  throw cause instanceof MediaReadLost ? new NotPlayable('It makes the media reader crash', { cause }) : cause
}

interface Probe {
  readonly ffprobe: RunFfprobe
  readonly findJoined: FindJoined
  readonly path: string
  readonly signal: AbortSignal
  readonly head: ReturnType<typeof readHead>
}

async function probe({ ffprobe, findJoined, path, signal, head: reading }: Probe): Promise<MediaDescription> {
  const { head, sizeBytes } = await reading.catch((cause: unknown) => {
    throw new NotPlayable(cause instanceof NotAFile ? NO_FILE : UNREADABLE, { cause })
  })
  if (sizeBytes === 0) throw new NotPlayable(EMPTY)
  const output = await describe(ffprobe, path, signal)
  const durationMs = await mediaLengthMs({ ffprobe, path, signal, timeoutMs: PROBE_TIMEOUT_MS }, output)
  const joined = await findJoined(path)
  // ffprobe reads its parts through a script.
  const container = joined && { ...output, format: { ...output.format, format_name: joined.container } }
  return mediaDescriptionFromFfprobe(container ?? output, { name: basename(path), head, durationMs })
}

async function describe(ffprobe: RunFfprobe, path: string, signal: AbortSignal): Promise<FfprobeOutput> {
  let json = ''
  const take = (text: string): void => {
    json += text
    if (json.length > DESCRIPTION_CHARACTERS) throw new NotPlayable('It holds too many tracks')
  }
  const { ok, errors } = await ffprobe({ path, signal, read: { type: 'describe' }, timeoutMs: PROBE_TIMEOUT_MS, background: false, take })
  if (!ok) throw new NotPlayable(reasonFromErrors(errors))
  const output = JSON.parse(json) as FfprobeOutput
  const reason = reasonFromOutput(output, errors)
  if (reason !== undefined) throw new NotPlayable(reason)
  return output
}
