/** Tests a server process with an online metadata provider: the films that a user gets over HTTP after a scan. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { makeClip } from '../../fixtures/media-files.ts'
import { jpeg } from '../../fixtures/images.ts'
import { MOVIES, drawImages } from '../../fakes/tmdb-catalogue.ts'
import { startTmdb } from '../../fakes/tmdb.ts'
import { signIn, startServer, type Api } from './server-process.ts'

const PATIENCE_MS = 60_000
const ANN = { email: 'ann@example.org', password: 'the password of Ann' }
const SET = '<movie><title>Metropolis</title><year>1927</year><plot>Own words.</plot><set><name>Open Films Collection</name></set></movie>'
const SECRET = '<movie><title>Secret</title><year>2001</year><set>Secret Set</set><uniqueid type="tmdb">133701</uniqueid></movie>'

type NamedMovies = Readonly<Record<string, { readonly nfo?: string; readonly poster?: boolean }>>

async function makeMediaFiles(folder: string, movies: NamedMovies): Promise<string> {
  for (const [name, { nfo, poster }] of Object.entries(movies)) {
    await mkdir(join(folder, name), { recursive: true })
    await makeClip({ path: join(folder, name, `${name}.mp4`), seconds: 1 })
    if (nfo) await writeFile(join(folder, name, 'movie.nfo'), nfo)
    if (poster) await writeFile(join(folder, name, 'poster.jpg'), await jpeg(300, 300))
  }
  return folder
}

/** Polls until the value exists. */
async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const value = await look()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`${what} does not come`)
    await sleep(100)
  }
}

interface Shown {
  readonly id: string
  readonly title: string
  readonly images: Readonly<Record<string, string | null>>
}

async function begin(t: Test) {
  const tmdb = await startTmdb(t, { images: await drawImages(MOVIES) })
  const folder = t.testdir({ data: {} })
  const server = await startServer({
    dataDir: join(folder, 'data'),
    env: { MARQUEE_TMDB_URL: tmdb.url, MARQUEE_TMDB_KEY: tmdb.key, MARQUEE_LOG_LEVEL: 'warn' },
  })
  t.teardown(() => server.end('SIGTERM'))
  const admin = await signIn(server.url)

  async function library(name: string, movies: NamedMovies): Promise<string> {
    const path = await makeMediaFiles(join(folder, name), movies)
    const { json } = await admin.send('POST', '/v1/libraries', { name, path })
    await scan(String(json['id']))
    return String(json['id'])
  }
  async function scan(id: string): Promise<void> {
    await admin.send('POST', `/v1/libraries/${id}/scan`, { mode: 'full' })
    await until('The end of the scan', async () => {
      const { json } = await admin.send('GET', `/v1/libraries/${id}/scan`)
      return json['state'] === 'completed' ? true : undefined
    })
  }
  const named = (api: Api, title: string) =>
    until(title, async () => (await itemsOf(api, '/v1/movies?limit=100')).find((movie) => movie.title === title))
  const fetchImage = (path: unknown, token?: string) =>
    fetch(`${server.url}${String(path)}?format=png${token ? `&token=${token}` : ''}`, { signal: AbortSignal.timeout(30_000) })
  return { admin, tmdb, server, library, scan, named, fetchImage }
}

async function itemsOf(api: Api, path: string): Promise<readonly Shown[]> {
  return (await api.send('GET', path)).json['items'] as unknown as readonly Shown[]
}

const titleOf = (movie: { readonly title: string }): string => movie.title

t.test('films that are scanned while the provider is down get its facts later', { timeout: 240_000 }, async (t) => {
  const { admin, tmdb, server, library, scan, named, fetchImage } = await begin(t)
  const titled = async (api: Api, query: string) => (await itemsOf(api, `/v1/movies?${query}`)).map(titleOf)
  tmdb.fault({ type: 'status', status: 503 })
  const films = await library('films', {
    'Big Buck Bunny (2008)': {},
    'Metropolis (1927)': { nfo: SET },
    'Sintel (2010)': { poster: true },
    'Nowhere Known (1999)': {},
  })
  const others = await library('others', { 'Secret (2001)': { nfo: SECRET } })
  t.equal((await itemsOf(admin, '/v1/movies')).length, 5, 'all are there from their files')
  tmdb.fault()
  for (const title of ['Big Buck Bunny', 'Sintel', 'Secret'])
    await until(`What is known of ${title}`, async () => (await named(admin, title)).images['backdrop'] ?? undefined)
  await admin.send('POST', '/v1/users', { ...ANN, name: 'Ann', libraryAccess: 'selected', libraryIds: [films] })
  const ann = await signIn(server.url, ANN)
  const bunny = await named(admin, 'Big Buck Bunny')

  await t.test('what the provider says is shown where files say nothing', async (t) => {
    t.match((await admin.send('GET', `/v1/movies/${bunny.id}`)).json, {
      overview: 'A made-up text about a big rabbit who has enough.',
      genres: ['Animation', 'Comedy'],
      externalIds: { tmdb: '10378', imdb: 'tt1254207' },
      match: { source: 'tmdb', confidence: 0.9, pinned: false },
      collection: 'Open Films Collection',
    })
    const metropolis = await named(admin, 'Metropolis')
    const own = { overview: 'Own words.', match: { source: 'nfo', confidence: 1 } }
    t.match((await admin.send('GET', `/v1/movies/${metropolis.id}`)).json, own)
    t.strictSame(await titled(admin, 'matched=false'), ['Nowhere Known'])
    t.strictSame(await titled(admin, 'q=anna+invented'), ['Big Buck Bunny', 'Secret', 'Sintel'], 'found by their people')
  })

  await t.test('films and people have its images', async (t) => {
    const { json } = await admin.send('GET', `/v1/movies/${bunny.id}/credits`)
    const { cast } = json as unknown as { cast: { personId: string; name: string; image: string }[] }
    t.match(cast, [{ name: 'Anna Invented', character: 'The Rabbit' }])
    const person = (await admin.send('GET', `/v1/people/${cast[0]?.personId}`)).json
    t.match(person, { name: 'Anna Invented', image: /^\/api\/images\// })
    for (const path of [bunny.images['poster'], bunny.images['logo'], cast[0]?.image, person['image']]) {
      const answer = await fetchImage(path)
      t.match([answer.status, answer.headers.get('cache-control')], [200, 'public, max-age=86400'], String(path))
    }
  })

  await t.test('images of a library that shows none to strangers are for those who see it', async (t) => {
    await admin.send('PATCH', `/v1/libraries/${others}`, { settings: { publicImages: false } })
    const { images } = await named(admin, 'Secret')
    t.equal((await fetchImage(images['poster'])).status, 404, 'to strangers it looks like a missing one')
    t.equal((await fetchImage(images['poster'], ann.token)).status, 404)
    t.equal((await fetchImage(images['poster'], admin.token)).status, 200)
  })

  await t.test('collections hold what an .nfo and the provider say, of movies that are visible, in order', async (t) => {
    const collections = async (api: Api) =>
      (await api.send('GET', '/v1/collections?limit=10')).json['items'] as unknown as readonly { readonly id: string }[]
    const [open, secret] = await collections(admin)
    t.match(
      [open, secret],
      [
        { name: 'Open Films Collection', movieCount: 3 },
        { name: 'Secret Set', movieCount: 1 },
      ],
    )
    t.strictSame(await collections(ann), [open])
    const { json } = await ann.send('GET', `/v1/collections/${open?.id}`)
    const { movieCount, movies } = json as unknown as { movieCount: number; movies: readonly Shown[] }
    t.strictSame([movieCount, movies.map(titleOf)], [3, ['Metropolis', 'Big Buck Bunny', 'Sintel']])
    t.equal((await ann.send('GET', `/v1/collections/${secret?.id}`)).status, 404)
    t.strictSame(await titled(admin, `collectionId=${secret?.id}`), ['Secret'])
    t.strictSame(await titled(ann, `collectionId=${secret?.id}`), [])
    t.strictSame(await titled(ann, `collectionId=${open?.id}&sort=year&order=asc`), ['Metropolis', 'Big Buck Bunny', 'Sintel'])
  })

  await t.test('a watchlist is the user’s own', async (t) => {
    const listed = await ann.send('PUT', `/v1/movies/${bunny.id}/watchlist`)
    t.match(listed, { status: 200, json: { movieId: bunny.id, watchlist: true, addedAt: /Z$/ } })
    t.strictSame((await ann.send('PUT', `/v1/movies/${bunny.id}/watchlist`)).json, listed.json, 'once')
    t.match(await itemsOf(ann, '/v1/movies?watchlist=true'), [{ title: 'Big Buck Bunny', watchlist: true }])
    t.equal((await itemsOf(admin, '/v1/movies?watchlist=true')).length, 0)
    t.match((await ann.send('DELETE', `/v1/movies/${bunny.id}/watchlist`)).json, { watchlist: false, addedAt: null })
  })

  await t.test('a pinned match is answered with the other film, and survives a scan, as an edit does', async (t) => {
    await admin.send('PATCH', `/v1/movies/${bunny.id}`, { tagline: 'Mine.' })
    const { json: pinned } = await admin.send('POST', `/v1/movies/${bunny.id}/match`, { tmdbId: '3085' })
    const friday = { title: 'His Girl Friday', year: 1940, tagline: 'Mine.', match: { source: 'manual', confidence: 1, pinned: true } }
    t.match(pinned, { ...friday, collection: null, externalIds: { tmdb: '3085', imdb: 'tt0032599' } })
    await scan(films)
    t.match((await admin.send('GET', `/v1/movies/${bunny.id}`)).json, friday)
    t.strictSame(await titled(admin, 'q=rabbit'), [], 'nothing is left of the other film')
  })
})
