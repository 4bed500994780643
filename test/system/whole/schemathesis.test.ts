/**
 * Runs schemathesis over the whole API description: no 5xx, no undocumented status, header, media type or body, no hanging request.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeClip } from '../../fixtures/media-files.ts'
import { isRequired } from '../../fixtures/programs.ts'
import { findSchemathesis, lateOperations, run, type Outcome, type Places, type Run } from './schemathesis.ts'
import { scannedMovies, signIn, type Api } from './server-process.ts'
import { inEachTopology, type Installation } from './topologies.ts'

const program = await findSchemathesis(process.env)
const skip =
  program || isRequired('schemathesis')
    ? false
    : 'schemathesis is not on this machine: pip install schemathesis==4.32.5, or name it in MARQUEE_SCHEMATHESIS'

/** An endless response; test/http/feed/events.test.ts and event-stream.test.ts cover it. */
const ENDLESS = 'GET /api/events'
/** These end the caller's own login, and with it the run, so they run by themselves with their own login. */
const ENDING = ['POST /api/auth/sign-out', 'POST /api/auth/revoke-session']

/** Provides a person, a collection, a subtitle track and an image (one black pixel). */
const NFO = '<movie><title>A Clip</title><year>2020</year><set>Clips</set><actor><name>Ann Actor</name><role>Clip</role></actor></movie>'
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nA line.\n'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/**
 * Each topology runs the same routes, and what lies below them has its contract suites. So one process gets every phase, and the other
 * one case of each operation. Refused callers get no boundary values: nothing of their request is looked at.
 */
const DEPTHS = {
  'one process': { refused: { phases: 'fuzzing', examples: 2 }, admin: { phases: 'examples,coverage,fuzzing', examples: 6 } },
  'three processes on servers': { refused: { phases: 'fuzzing', examples: 1 }, admin: { phases: 'fuzzing', examples: 1 } },
} as const

/** Three runs of at most 480 s each; 20 to 200 s are usual. */
const TOPOLOGY_MS = 1_450_000
t.setTimeout(2 * TOPOLOGY_MS)

inEachTopology('everything answers as described', { skip, timeout: TOPOLOGY_MS }, async (t, installation) => {
  const { ask, described, api, url } = await open(installation)
  const { refused, admin } = DEPTHS[installation.topology]

  await t.test('nobody in particular gets nothing but what is described', async (t) => {
    const { exitCode, text, operations, cases } = await ask(refused)
    t.equal(exitCode, 0, exitCode === 0 ? 'it found nothing' : text)
    t.equal(operations, described.length)
    t.comment(`${operations} operations, ${cases} requests`)
  })

  await t.test('ending logins, too, answers as described', async (t) => {
    const own = await signIn(url)
    const { exitCode, text, operations } = await ask({ ...admin, token: own.token, only: ENDING })
    t.equal(exitCode, 0, exitCode === 0 ? 'it found nothing' : text)
    t.equal(operations, ENDING.length)
  })

  await t.test('an admin gets nothing but what is described, of things that are there', async (t) => {
    const places = await furnish(api, described)
    const { exitCode, text, operations, cases } = await ask({ ...admin, token: api.token, places, leaveOut: [ENDLESS, ...ENDING] })
    t.equal(exitCode, 0, exitCode === 0 ? 'it found nothing' : text)
    t.equal(operations, described.length - 1 - ENDING.length)
    t.equal((await api.send('GET', '/v1/users/me')).status, 200, 'the login held to the end')
    t.comment(`${operations} operations, ${cases} requests`)
  })
})

interface Opened {
  readonly api: Api
  /** Every operation, as `METHOD /path`. */
  readonly described: readonly string[]
  readonly url: string
  readonly ask: (more: Pick<Run, 'phases' | 'examples'> & Partial<Run>) => ReturnType<typeof run>
}

async function open(installation: Installation): Promise<Opened> {
  if (program === undefined) throw new Error('schemathesis is required (MARQUEE_TEST_REQUIRE) and was not found')
  const { folder } = installation
  const media = join(folder, 'media')
  await mkdir(media)
  await makeClip({ path: join(media, 'A Clip (2020).mkv'), seconds: 6 })
  await writeFile(join(media, 'A Clip (2020).nfo'), NFO)
  await writeFile(join(media, 'A Clip (2020).en.srt'), SRT)
  await writeFile(join(media, 'A Clip (2020)-poster.png'), Buffer.from(PNG, 'base64'))
  const server = await installation.start({ media, env: { MARQUEE_SPEEDTEST_RATE_LIMIT: '100000' } })
  const api = await signIn(server.url)
  const description = await (await fetch(`${server.url}/docs/openapi.json`, { signal: AbortSignal.timeout(10_000) })).text()
  const { paths } = JSON.parse(description) as { paths: Record<string, object> }
  const described = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
  return {
    api,
    described,
    url: server.url,
    ask: (more) => askAgain({ program, url: server.url, folder, description, ...more }),
  }
}

/** Views of a busy machine may be late: those operations run again alone, and must then answer as described. */
async function askAgain(asked: Run): Promise<Outcome> {
  const outcome = await run(asked)
  const late = outcome.exitCode === 0 ? [] : lateOperations(outcome.text)
  if (late.length === 0) return outcome
  const { exitCode, text } = await run({ ...asked, leaveOut: [], only: late })
  return { ...outcome, exitCode, text }
}

/** Puts existing ids into every path; operations that change or remove something use separate objects. */
async function furnish(api: Api, described: readonly string[]): Promise<Places> {
  const [movie] = (await scannedMovies(api)).values()
  if (!movie) throw new Error('The clip was not found')
  const make = async (path: string, body: object) => String((await api.send('POST', path, body)).json['id'])
  const [library] = (await api.send('GET', '/v1/libraries')).json['items'] as unknown as { id: string; lastScan: { id: string } }[]
  if (!library) throw new Error('There is no library')
  const { cast } = (await api.send('GET', `/v1/movies/${movie.id}/credits`)).json as unknown as { cast: { personId: string }[] }
  const collections = (await api.send('GET', '/v1/collections')).json['items'] as unknown as { id: string }[]
  const { images } = (await api.send('GET', `/v1/movies/${movie.id}`)).json as unknown as { images: { poster: string | null } }
  const person = cast[0]?.personId
  const collection = collections[0]?.id
  const imageId = images.poster?.split('/').at(-1)
  if (!person || !collection || !imageId) throw new Error('What lies beside the film was not read')
  const user = await make('/v1/users', { email: 'bob@example.org', name: 'Bob', password: 'a long password' })
  const spare = await make('/v1/libraries', { name: 'Spare', paths: ['/nowhere'] })
  const session = () => make('/v1/playback/sessions', { movieId: movie.id })
  const watched = await session()
  const ended = await session()
  const terminated = await session()
  const placeOf = (name: string): Readonly<Record<string, string>> => {
    const path = name.split(' ')[1] ?? ''
    if (path.startsWith('/v1/users/{id}')) return { id: user }
    if (/^(PATCH|DELETE) .v1.libraries.{id}$/.test(name) || path.startsWith('/v1/admin/libraries/')) return { id: spare }
    if (path.startsWith('/v1/libraries/{id}'))
      return { id: library.id, ...(path.includes('{scanId}') ? { scanId: library.lastScan.id } : {}) }
    if (path.startsWith('/api/images/')) return { imageId }
    if (path.startsWith('/v1/people/')) return { id: person }
    if (path.startsWith('/v1/collections/')) return { id: collection }
    if (path.startsWith('/v1/movies/{id}')) return { id: movie.id }
    if (path.startsWith('/v1/playback/continue-watching/{')) return { movieId: movie.id }
    if (name === 'DELETE /v1/playback/sessions/{id}') return { id: ended }
    if (path.startsWith('/v1/playback/sessions/{id}')) return { id: watched }
    if (path.startsWith('/v1/admin/playback/')) return { id: path.endsWith('/commands') ? watched : terminated }
    if (path.includes('/subtitles/')) return { sessionId: watched, filename: '0.vtt' }
    if (path.startsWith('/api/stream/')) return { sessionId: watched, ...(path.includes('{quality}') ? { quality: 'original' } : {}) }
    return {}
  }
  return Object.fromEntries(described.map((name) => [name, placeOf(name)] as const).filter(([, place]) => Object.keys(place).length > 0))
}
