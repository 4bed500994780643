/** Examines the keyframes of a film: at which of them a decoder can start without missing frames. */
import { openMedia } from '../../drives/media-files.ts'
import type { KeyframeKind, MediaIndex } from '../../ports/media.ts'
import { createBoundedFile, type BoundedFile } from '../containers/bounded-file.ts'
import { Unsupported } from '../containers/unsupported.ts'
import { vintLength } from '../containers/ebml.ts'
import { kindOfKeyframe, lengthPrefixedUnits, startCodeUnits } from '../containers/nal-units.ts'
import type { SampleForm } from '../containers/sample-form.ts'
import { transportPayload } from '../containers/transport-payload.ts'

/** Beyond this number, only keyframes at least a second after the last closed one are examined, for films of nothing but keyframes. */
const MOST_LOOKS = 20_000
const CLOSED_EVERY_MS = 1_000
/** Data before the first slice is mostly short; the second reach is for long messages. */
const REACHES = [1_024, 65_536] as const
/** Other tracks lie between the packets of a transport stream. */
const TRANSPORT_REACHES = [8_192, 262_144] as const
const BUDGET = { reads: 2 * MOST_LOOKS, bytes: 1024 * 1024 * 1024 }
/** Time and flags of a Matroska block, behind the number of its track. */
const BLOCK_REST_BYTES = 3

export interface Looking {
  readonly path: string
  readonly form: SampleForm
  readonly index: Pick<MediaIndex, 'keyframesMs' | 'keyframeOffsets' | 'keyframeLeadsMs'>
  readonly signal: AbortSignal
}

/** In the order of the keyframes. @throws the signal's reason, or a file system error */
export async function classifyKeyframes({ path, form, index, signal }: Looking): Promise<readonly KeyframeKind[]> {
  const { keyframesMs, keyframeOffsets = [], keyframeLeadsMs = [] } = index
  const handle = await openMedia(path)
  try {
    const file = createBoundedFile({ file: handle, sizeBytes: (await handle.stat()).size, signal, budget: BUDGET })
    const kinds: KeyframeKind[] = []
    let closedMs = -Infinity
    for (const [at, ms] of keyframesMs.entries()) {
      const isNeedless = keyframesMs.length > MOST_LOOKS && ms - closedMs < CLOSED_EVERY_MS
      const kind = isNeedless ? 'unclear' : await kindAt(file, keyframeOffsets[at], { form, isLed: (keyframeLeadsMs[at] ?? 0) > 0 })
      if (kind === 'closed') closedMs = ms
      kinds.push(kind)
    }
    return kinds
  } finally {
    handle.close()
  }
}

interface Look {
  readonly form: SampleForm
  readonly isLed: boolean
}

async function kindAt(file: BoundedFile, offset: number | null | undefined, { form, isLed }: Look): Promise<KeyframeKind> {
  if (typeof offset !== 'number' || form.container === 'packed') return 'unclear'
  try {
    for (const reach of form.container === 'mpegts' ? TRANSPORT_REACHES : REACHES) {
      const bytes = await file.read(offset, Math.min(reach, Math.max(0, file.sizeBytes - offset)))
      const kind = kindOfKeyframe({ codec: form.codec, isLed }, unitsIn(bytes, form))
      if (kind) return kind
    }
  } catch (cause) {
    if (!(cause instanceof Unsupported)) throw cause
  }
  return 'unclear'
}

function unitsIn(bytes: Uint8Array, { container, lengthBytes }: SampleForm): Iterable<Uint8Array> {
  if (container === 'mpegts') return startCodeUnits(transportPayload(bytes))
  const headBytes = container === 'matroska' ? vintLength(bytes[0] ?? 0) + BLOCK_REST_BYTES : 0
  return lengthPrefixedUnits(bytes.subarray(headBytes), lengthBytes)
}
