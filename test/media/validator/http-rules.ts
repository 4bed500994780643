/** Rules for the HTTP responses of playlists, segments and subtitles. */
import { unless, type Rule } from './rule.ts'

export interface HttpAnswer {
  /** Relative to the master playlist's folder, without its query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly sizeBytes: number
}

const TYPES: readonly (readonly [path: RegExp, type: RegExp])[] = [
  [/\.m3u8$/, /^application\/vnd\.apple\.mpegurl\b/],
  [/^audio-[^/]+\/init\.mp4$/, /^(audio|video)\/mp4$/],
  [/init\.mp4$/, /^video\/mp4$/],
  [/\.m4s$/, /^(video|audio)\/(iso\.segment|mp4)$/],
  [/\.vtt$/, /^text\/vtt\b/],
]
const isPlaylist = ({ path }: HttpAnswer): boolean => path.endsWith('.m3u8')

export const HTTP_RULES: readonly Rule<HttpAnswer>[] = [
  { source: 'Apple 8.18', says: 'no redirects: 200', check: ({ status }) => unless(status === 200, `${status}`) },
  {
    source: 'Apple 10.4',
    says: 'the type of what it is',
    check: ({ path, headers }) => {
      const type = headers.get('content-type') ?? ''
      return unless(TYPES.find(([pattern]) => pattern.test(path))?.[1].test(type) === true, type)
    },
  },
  {
    source: 'Apple 10.1',
    says: 'playlists are compressed for those who take it',
    check: (answer) =>
      unless(!isPlaylist(answer) || answer.sizeBytes < 1_000 || answer.headers.get('content-encoding') === 'gzip', 'as it is'),
  },
  {
    source: 'Marquee',
    says: 'segments and init segments are kept for four hours and never change; playlists, which hold tokens, are not kept',
    check: (answer) => {
      const said = answer.headers.get('cache-control') ?? ''
      return unless(isPlaylist(answer) ? /no-store|no-cache/.test(said) : said === 'private, max-age=14400, immutable', said)
    },
  },
]
