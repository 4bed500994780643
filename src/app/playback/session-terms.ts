/** Terms of a new session: what is asked for, as what every node then goes by. */
import type { FileDocument } from '../../../projections/views/files.ts'
import { termsOf, type StreamTerms } from '../../vocabulary/stream-terms.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import { chooseBurnIn } from './burn-in-choice.ts'
import type { OfferedStreams } from './offered-streams.ts'
import type { NewSession } from './playback.ts'
import type { SoundGain } from './sound-gain.ts'

export interface TermsDependencies {
  readonly soundGain: Pick<SoundGain, 'resolve'>
  readonly streams: Pick<OfferedStreams, 'means' | 'offer'>
}

/** Refusals: `invalid` (`subtitleIndex`). */
export async function termsFor(
  { soundGain, streams }: TermsDependencies,
  file: FileDocument,
  { audioGain: asked, subtitleIndex, burnSubtitle, ...told }: NewSession,
): Promise<StreamTerms | Refusal> {
  const isAsked = subtitleIndex !== undefined || burnSubtitle === true
  const burnIn = isAsked ? chooseBurnIn({ subtitleIndex, burnSubtitle }, (await streams.offer(file, {})).burnable) : undefined
  if (isRefusal(burnIn)) return burnIn
  const audioGain = asked === undefined ? [] : await soundGain.resolve(file, asked)
  return termsOf({
    ...told,
    ...streams.means(),
    ...(burnIn === undefined ? {} : { burnIn }),
    ...(audioGain.length > 0 ? { audioGain } : {}),
  })
}
