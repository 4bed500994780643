/**
 * Explains why a transcode job failed: the agent sends a code before the detail. Viewers see the text of the code. The detail may contain
 * paths of the agent's machine and messages of ffmpeg: it is for the operator's log.
 */

const WORDS = {
  'ffmpeg-failed': 'The transcoder could not make this part of the film',
  'film-unreadable': 'The file of this film cannot be read at the moment',
  'ffmpeg-stuck': 'The transcoder made no progress on this part of the film',
  'no-libass': 'This transcoder cannot draw subtitles: its ffmpeg has no libass',
  'no-fonts': 'This transcoder cannot draw subtitles: its machine has no fonts',
  'no-encoder': 'This transcoder does not have the encoder that the film needs',
  'no-tone-mapping': 'This transcoder cannot tone-map',
  'job-unknown': 'This transcoder does not know such a job: it is of another version',
  failed: 'The transcoder failed',
} as const

export type JobFailure = keyof typeof WORDS

const CODED = /^\[([a-z-]{1,40})\]/

/** The reason that an agent sends. */
export const failureReason = (failure: JobFailure, detail = ''): string => `[${failure}] ${detail}`.trimEnd()

/** The text for viewers. Older agents send no code. */
export function failureWords(reason: string): string {
  const code = CODED.exec(reason)?.[1] ?? ''
  return Object.hasOwn(WORDS, code) ? WORDS[code as JobFailure] : WORDS.failed
}
