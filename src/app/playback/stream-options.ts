/** Resolves the request of a new session into stream options that every node uses from then on. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import { streamOptionsOf, type StreamOptions } from '../../vocabulary/stream-options.ts'
import { mainAudio } from '../../domain/streaming/audio-plan.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { chooseBurnIn } from './burn-in-choice.ts'
import type { SessionStreams } from './session-streams.ts'
import type { NewSession } from './playback-types.ts'
import type { AudioGains } from './audio-gain.ts'

export interface StreamOptionsDependencies {
  readonly audioGains: Pick<AudioGains, 'resolve'>
  readonly streams: Pick<SessionStreams, 'currentEncoders' | 'offer'>
}

const NO_SUCH_TRACK = refuse('invalid', 'The movie has no such audio track', { path: 'audioIndex' })

/** Omits the file's own default, so that sessions with equal options share their plan. */
function chooseAudio({ media }: FileDocument, asked: number | undefined): Pick<StreamOptions, 'audioIndex'> | Refusal {
  if (asked === undefined) return {}
  const tracks = media?.audio ?? []
  if (asked >= tracks.length) return NO_SUCH_TRACK
  return asked === mainAudio(tracks) ? {} : { audioIndex: asked }
}

/** Refusals: `invalid` (`audioIndex`, `subtitleIndex`). */
export async function streamOptionsFor(
  { audioGains, streams }: StreamOptionsDependencies,
  file: FileDocument,
  { audioGain: asked, audioIndex, subtitleIndex, burnSubtitle, ...rest }: NewSession,
): Promise<StreamOptions | Refusal> {
  const audio = chooseAudio(file, audioIndex)
  if (isRefusal(audio)) return audio
  const isAsked = subtitleIndex !== undefined || burnSubtitle === true
  const burnIn = isAsked ? chooseBurnIn({ subtitleIndex, burnSubtitle }, (await streams.offer(file, {})).burnable) : undefined
  if (isRefusal(burnIn)) return burnIn
  const audioGain = asked === undefined ? [] : await audioGains.resolve(file, asked)
  return streamOptionsOf({
    ...rest,
    ...audio,
    ...streams.currentEncoders(),
    // A subtitle that is burnt in is not chosen in the player.
    ...omitUndefined(burnIn === undefined ? { subtitleIndex } : { burnIn }),
    ...(audioGain.length > 0 ? { audioGain } : {}),
  })
}
