/** Terms of a new session: what is asked for, as what every node then goes by. */
import type { FileDocument } from '../../../projections/views/files.ts'
import { streamOptionsOf, type StreamOptions } from '../../vocabulary/stream-options.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import { chooseBurnIn } from './burn-in-choice.ts'
import type { SessionStreams } from './session-streams.ts'
import type { NewSession } from './playback-types.ts'
import type { AudioGains } from './audio-gain.ts'

export interface StreamOptionsDependencies {
  readonly audioGains: Pick<AudioGains, 'resolve'>
  readonly streams: Pick<SessionStreams, 'means' | 'offer'>
}

/** Refusals: `invalid` (`subtitleIndex`). */
export async function streamOptionsFor(
  { audioGains, streams }: StreamOptionsDependencies,
  file: FileDocument,
  { audioGain: asked, subtitleIndex, burnSubtitle, ...told }: NewSession,
): Promise<StreamOptions | Refusal> {
  const isAsked = subtitleIndex !== undefined || burnSubtitle === true
  const burnIn = isAsked ? chooseBurnIn({ subtitleIndex, burnSubtitle }, (await streams.offer(file, {})).burnable) : undefined
  if (isRefusal(burnIn)) return burnIn
  const audioGain = asked === undefined ? [] : await audioGains.resolve(file, asked)
  return streamOptionsOf({
    ...told,
    ...streams.means(),
    ...(burnIn === undefined ? {} : { burnIn }),
    ...(audioGain.length > 0 ? { audioGain } : {}),
  })
}
