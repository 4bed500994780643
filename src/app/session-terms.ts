/** Terms of a new session: what is asked for, as what every node then goes by. */
import type { FileDocument } from '../../projections/files.ts'
import { termsOf, type StreamTerms } from '../events/stream-terms.ts'
import { isRefusal, type Refusal } from '../domain/refusal.ts'
import { chooseBurnIn } from './burn-in-choice.ts'
import type { NewSession } from './playback.ts'
import type { PlaybackDependencies } from './playback-service.ts'

/** Refusals: `invalid` (`subtitleIndex`). */
export async function termsFor(
  { soundGain, streams }: Pick<PlaybackDependencies, 'soundGain' | 'streams'>,
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
