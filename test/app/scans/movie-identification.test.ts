/** What a movie of several files is identified as, in whatever order they are read. */
import t from 'tap'
import { scannedFilms } from '../../fixtures/scanned-films.ts'

type Films = Awaited<ReturnType<typeof scannedFilms>>

const HD = '/films/Alien (1979) - 1080p.mkv'
const UHD = '/films/Alien (1979) - 4K.mkv'
const GERMAN = '/films/Das Boot (1981) [imdbid-tt0082096]/Das Boot.mkv'
const ENGLISH = '/films/The Boat (1981) [imdbid-tt0082096]/The Boat.mkv'
const nfo = (more = '') => ({ content: `<movie><title>Alien</title><year>1979</year>${more}</movie>` })
const FULL = '<plot>In space</plot><genre>Horror</genre><actor><name>Sigourney Weaver</name></actor><imdbid>tt0078748</imdbid>'

/** What the only movie is identified as, and how often it was. */
async function identified({ node, movies }: Films) {
  const [movie, ...others] = await movies()
  if (!movie || others.length > 0) throw new Error('There is not exactly one movie')
  const { details } = (await node.readModels.movies.get(movie.id)) ?? {}
  const events = await node.events()
  return { ...details, times: events.filter(({ type }) => type === 'MovieIdentified').length }
}

t.test('a version whose name has no id takes none away', async (t) => {
  const plain = '/films/Alien (1979) 4K/Alien.mkv'
  const films = await scannedFilms(t, { [plain]: {}, '/films/Alien (1979) [imdbid-tt0078748]/Alien.mkv': {} })
  t.match(await identified(films), { externalIds: { imdb: 'tt0078748' } })
  films.node.mediaFiles.put('/films/Alien (1979) 4K/Alien.de.srt')
  t.match(await films.scan(), { counts: { updated: 1 } })
  t.match(await identified(films), { externalIds: { imdb: 'tt0078748' } })
  films.node.mediaFiles.put('/films/Alien [imdbid-tt0078748]/Alien.mkv')
  t.match(await films.scan(), { counts: { added: 1 } })
  t.equal((await films.movies()).length, 1)
})

t.test('versions with different titles do not take turns', async (t) => {
  const films = await scannedFilms(t, { [GERMAN]: { content: 'a' }, [ENGLISH]: { content: 'b' } })
  const before = await identified(films)
  t.match(before, { title: 'Das Boot', times: 1 })
  for (let n = 0; n < 2; n++) t.match(await films.scan({ mode: 'full' }), { counts: { unchanged: 2, updated: 0 } })
  films.node.mediaFiles.put(ENGLISH, { content: 'b', modifiedAtMs: 1_767_100_000_000 })
  await films.scan()
  t.strictSame(await identified(films), before)
  films.node.mediaFiles.remove(GERMAN)
  await films.scan()
  t.match(await identified(films), { title: 'The Boat' }, 'the version that gave the title is gone')
  films.node.mediaFiles.put(GERMAN, { content: 'a' })
  await films.scan()
  t.match(await identified(films), { title: 'Das Boot' }, 'and is back')
})

t.test('an .nfo with fewer facts takes none away, and each changes only its own', async (t) => {
  const films = await scannedFilms(t, { [HD]: { content: 'a' }, [HD.replace('mkv', 'nfo')]: nfo(FULL), [UHD]: { content: 'b' } })
  const { mediaFiles } = films.node
  const full = { overview: 'In space', genres: ['Horror'], externalIds: { imdb: 'tt0078748' } }
  t.match(await identified(films), full)
  mediaFiles.put(UHD.replace('mkv', 'nfo'), nfo('<tagline>Scream</tagline>'))
  await films.scan()
  t.match(await identified(films), { ...full, tagline: 'Scream' })
  const changed = nfo(FULL.replace('In space', 'A ship').replace('<genre>Horror</genre>', ''))
  mediaFiles.put(HD.replace('mkv', 'nfo'), { ...changed, modifiedAtMs: 1_767_100_000_000 })
  await films.scan()
  t.match(await identified(films), { ...full, overview: 'A ship', genres: [], tagline: 'Scream' })
  mediaFiles.remove(UHD.replace('mkv', 'nfo'))
  await films.scan()
  const before = await identified(films)
  t.match(before, { overview: 'A ship', tagline: null })
  t.match(await films.scan({ mode: 'full' }), { counts: { unchanged: 2 } })
  t.strictSame(await identified(films), before)
})
