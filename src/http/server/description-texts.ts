/** Texts of the OpenAPI description that belong to no operation. */

export const TAGS: Readonly<Record<string, string>> = {
  'sign-in': 'Signing in and out.',
  users: 'Users, their permissions and their logins.',
  libraries: 'Libraries: folders of films on disk.',
  scans: 'Scans that find the files of a library.',
  movies: "Movies, their credits and files, and the caller's watched marks.",
  playback: 'Playback sessions, and movies to continue watching.',
  streams: 'Streams of a playback session: HLS, the file itself, subtitles.',
  changes: 'Changes, for clients that keep a copy.',
  agents: 'For transcode agents on other machines.',
  images: 'Images.',
  events: 'Live events.',
  history: 'What was watched, by whom, when and how.',
  audit: 'Who did what, and proofs that nobody changed it since; for administrators.',
  webhooks: 'Events that the server sends to other programs; for administrators.',
  speedtest: 'Speed of the connection to the server.',
  server: 'State of the server, for administrators.',
  health: 'Health checks.',
  description: 'This description.',
}

export const DESCRIPTION = `A media server for a household. Sign in at \`/api/auth/sign-in/email\` and send the token as
\`Authorization: Bearer\`. Errors are \`{"error": "..."}\`; validation errors list every problem in \`details\`. Clients whose \`Accept\`
names \`application/problem+json\` get problem details (RFC 9457). Lists have pages: request the next one with \`cursor\` set to the
\`nextCursor\` of the page before; \`include=total\` adds \`total\`, the number of items on all pages.
Times are RFC 3339 in UTC, positions and durations are seconds.
Reads under \`/v1\` carry \`X-Log-Seq\`: events after it may not be in the answer. Given to \`/api/events\` as \`lastEventId\`, none is missed.`

const BEARER = `Token from signing in, or an access token (\`/v1/users/me/access-tokens\`). An access token needs the scope that an operation
names: \`read\`, \`playback\`, \`write\` or \`admin\`. Operations that name \`sign-in\` refuse every access token.`

export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: BEARER },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session_token',
    description: `Set by signing in; for web clients. On https its name is \`__Host-session_token\`; a request with both uses that
one. Requests that change something are rejected (403) if a page of another origin sends them; ports count.`,
  },
  streamToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'Stream token of the session, or an access token, for players that cannot set headers.',
  },
  accessToken: { type: 'apiKey', in: 'query', name: 'token', description: 'Access token, for clients that cannot set headers.' },
  jobToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Token that a transcode agent gets with a job. It opens only the media file of that job.',
  },
} as const
