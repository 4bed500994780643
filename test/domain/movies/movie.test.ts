import t from 'tap'
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import type { MovieFacts } from '../../../src/events/movie-events.ts'
import { lose, movie, observe, regain, type FoundMediaFile, type StillOf } from '../../../src/domain/movies/movie.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { factsOf, mediaOf } from '../../fixtures/movie-facts.ts'
import { given, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const movieId = named<'movie'>('metropolis')
const fileId = named<'file'>('first')
const media = mediaOf(9_000_000)
const facts = factsOf('Metropolis', 1927)
const noArtwork = { poster: null, backdrop: null, logo: null }
const poster = (path: string) => ({ imageId: named<'image'>(path.replaceAll(/\W/g, '')), path })
const stillOf: StillOf = ({ path, fingerprint }) => ({ imageId: named(`still${fingerprint}`), path })
const film: FoundMediaFile = {
  movieId,
  libraryId: named('films'),
  fileId,
  location: {
    path: '/films/Metropolis (1927)/Metropolis.mkv',
    root: '/films',
    stamp: { sizeBytes: 1000, modifiedAtMs: 5, inode: 7 },
    fingerprint: 'ab'.repeat(32),
  },
  media,
  sidecars: [],
  companions: 'nothing',
  identity: { source: 'name', confidence: 0.8, facts },
  artwork: noArtwork,
}
const second: FoundMediaFile = {
  ...film,
  fileId: named('second'),
  location: { ...film.location, path: '/films/Metropolis (1927) 4K/Metropolis.mkv', fingerprint: 'cd'.repeat(32) },
}
const at = (path: string, modifiedAtMs = 5): FoundMediaFile => ({
  ...film,
  location: { ...film.location, path, stamp: { ...film.location.stamp, modifiedAtMs } },
})
const typesOf = (decision: unknown): readonly string[] => eventsOf(decision).map(({ type }) => type)
const eventsOf = (decision: unknown): readonly DomainEvent[] => (isRefusal(decision) ? [] : (decision as readonly DomainEvent[]))

/** The events of observing these films one after the other. */
function observed(...films: readonly FoundMediaFile[]): readonly Happened[] {
  const past: Happened[] = []
  for (const film of films) past.push(...eventsOf(given(movie, ...past).when(observe(film))))
  return past
}

t.test('a new film is discovered, located, probed and identified in one append', async (t) => {
  const found = { ...film, artwork: { ...noArtwork, poster: poster('/films/Metropolis (1927)/poster.jpg') } }
  const events = given(movie).when(observe(found))
  t.strictSame(typesOf(events), ['MovieDiscovered', 'MovieFileAdded', 'MovieProbed', 'MovieIdentified', 'MovieArtworkChosen'])
  t.match(events, [
    { data: { movieId, libraryId: film.libraryId } },
    { data: { fileId, ...film.location } },
    { data: { fileId, media, sidecars: [], companions: 'nothing' } },
    { data: { movieId, source: 'name', facts } },
    { data: { artwork: found.artwork } },
  ])
})

t.test('what is known already gives no event', async (t) => {
  t.strictSame(given(movie, ...observed(film)).when(observe(film)), [])
  t.strictSame(
    given(movie, ...observed(film)).when(observe(JSON.parse(JSON.stringify(film)) as FoundMediaFile)),
    [],
    'as the log gives it back',
  )
})

t.test('the same file under another path has moved, and nothing else has happened', async (t) => {
  const moved = at('/films/Metropolis.mkv')
  t.strictSame(given(movie, ...observed(film)).when(observe(moved)), [
    { type: 'MovieFileMoved', data: { movieId, fileId, ...moved.location } },
  ])
})

t.test('other content under the same path has replaced the file, and is probed also where it looks the same', async (t) => {
  const replaced = at(film.location.path, 6)
  t.strictSame(typesOf(given(movie, ...observed(film)).when(observe(replaced))), ['MovieFileReplaced', 'MovieProbed'])
  t.strictSame(given(movie, ...observed(film, replaced)).when(observe(replaced)), [])
})

t.test('an inode alone says nothing: file systems over the network make them up', async (t) => {
  const remounted = { ...film, location: { ...film.location, stamp: { ...film.location.stamp, inode: 8 } } }
  t.strictSame(given(movie, ...observed(film)).when(observe(remounted)), [])
})

t.test('what lies beside a film is noticed without the film having changed', async (t) => {
  t.strictSame(typesOf(given(movie, ...observed(film)).when(observe({ ...film, companions: 'subtitles' }))), ['MovieProbed'])
})

t.test('a file is lost once and comes back once', async (t) => {
  const lost = { type: 'MovieFileMissing', data: { movieId, fileId } } as const
  const back = { type: 'MovieFileReturned', data: { movieId, fileId } } as const
  const past = observed(film)
  t.strictSame(given(movie, ...past).when(regain(fileId, stillOf)), [])
  t.strictSame(given(movie, ...past).when(lose(fileId, stillOf)), [lost])
  t.strictSame(given(movie, ...past, lost).when(lose(fileId, stillOf)), [])
  t.strictSame(given(movie, ...past, lost).when(regain(fileId, stillOf)), [back])
  t.strictSame(given(movie, ...past, lost).when(observe(film)), [back])
  t.strictSame(given(movie, ...past, lost, back).when(observe(film)), [])
  t.strictSame(given(movie).when(lose(fileId, stillOf)), [], 'one that was never there')
})

t.test('a missing file that is found elsewhere is there again', async (t) => {
  const lost = { type: 'MovieFileMissing', data: { movieId, fileId } } as const
  const { state } = given(movie, ...observed(film), lost, ...observed(film, at('/films/Metropolis.mkv')).slice(-1))
  t.match(state.files.get(fileId), { path: '/films/Metropolis.mkv', missing: false })
})

t.test('a second file of the movie is a version of it, not another discovery', async (t) => {
  const events = given(movie, ...observed(film)).when(observe(second))
  t.strictSame(typesOf(events), ['MovieFileAdded', 'MovieProbed'])
})

t.test('what an .nfo says stays when another file of the movie has only a name', async (t) => {
  const nfo = { source: 'nfo', confidence: 1, facts: { ...facts, overview: 'A city of the future.' } } as const
  const byNfo = { ...film, identity: nfo }
  t.strictSame(typesOf(given(movie, ...observed(byNfo)).when(observe(second))), ['MovieFileAdded', 'MovieProbed'])
  t.match(given(movie, ...observed(film)).when(observe({ ...second, identity: nfo })), [{}, {}, { type: 'MovieIdentified', data: nfo }])
  t.match(
    given(movie, ...observed(byNfo)).when(observe(film)),
    [{ type: 'MovieIdentified', data: { source: 'name' } }],
    'its own .nfo went',
  )
})

const withFacts = (found: FoundMediaFile, facts: MovieFacts, source: 'name' | 'nfo' = 'name'): FoundMediaFile => ({
  ...found,
  identity: { source, confidence: 0.8, facts },
})
const identifiedIn = (past: readonly Happened[]) => given(movie, ...past).state.identity

t.test('in whatever order versions are read, the most reliable says what the movie is, and the others add what is unknown', async (t) => {
  const ids = { tmdb: null, imdb: 'tt0017136' }
  const byId = withFacts(film, factsOf('Metropolis', 1927, { externalIds: ids }))
  const byNfo = withFacts(second, factsOf('METROPOLIS', 1927, { overview: 'A city.', tags: ['silent'] }), 'nfo')
  const byName = withFacts({ ...second, fileId: named('third') }, facts)
  const expected = { source: 'nfo', facts: { ...facts, externalIds: ids, overview: 'A city.', tags: ['silent'] } }
  for (const order of [
    [byId, byNfo, byName],
    [byName, byNfo, byId],
    [byNfo, byId, byName, byNfo, byName],
  ] as const) {
    const past = observed(...order)
    t.match(identifiedIn(past), expected)
    for (const again of order) t.strictSame(given(movie, ...past).when(observe(again)), [])
  }
})

t.test('among equals the version that was there first says what the movie is, as long as it is there', async (t) => {
  const [german, english] = [withFacts(film, factsOf('Das Boot', 1981)), withFacts(second, factsOf('The Boat', 1981))]
  const past = observed(german, english)
  t.strictSame(typesOf(past), ['MovieDiscovered', 'MovieFileAdded', 'MovieProbed', 'MovieIdentified', 'MovieFileAdded', 'MovieProbed'])
  const lost = eventsOf(given(movie, ...past).when(lose(fileId, stillOf)))
  t.match(lost, [{ type: 'MovieFileMissing' }, { type: 'MovieIdentified', data: english.identity }])
  t.match(given(movie, ...past, ...lost).when(regain(fileId, stillOf)), [{}, { type: 'MovieIdentified', data: german.identity }])
  const retitled = withFacts(film, factsOf('Boot', 1981))
  t.match(given(movie, ...past).when(observe(retitled)), [{ type: 'MovieIdentified', data: retitled.identity }])
})

t.test('a version takes back only what it has said itself', async (t) => {
  const full = withFacts(film, factsOf('Heat', 1995, { overview: 'A heist.', genres: ['Crime'] }), 'nfo')
  const other = withFacts(second, factsOf('Heat', 1995, { overview: 'A robbery.', tagline: 'A Los Angeles crime saga' }), 'nfo')
  const past = observed(full, other, withFacts(film, factsOf('Heat', 1995), 'nfo'))
  t.match(identifiedIn(past), { facts: { overview: 'A robbery.', genres: [], tagline: 'A Los Angeles crime saga' } })
})

t.test('a log of an earlier version tells only what the movie is: that stays until all of its files have been read', async (t) => {
  const [plain, byId] = [film, withFacts(second, factsOf('Metropolis', 1927, { externalIds: { tmdb: '19', imdb: null } }))]
  const added = (found: FoundMediaFile): Happened => ({
    type: 'MovieFileAdded',
    data: { movieId, libraryId: film.libraryId, fileId: found.fileId, ...found.location },
  })
  const identified = ({ identity }: FoundMediaFile): Happened => ({ type: 'MovieIdentified', data: { movieId, ...identity } })
  const discovered: Happened = { type: 'MovieDiscovered', data: { movieId, libraryId: film.libraryId } }
  const past = [discovered, added(plain), identified(plain), added(byId), identified(byId)]
  const read = [...past, ...eventsOf(given(movie, ...past).when(observe(plain)))]
  t.match(identifiedIn(read), byId.identity)
  t.match(identifiedIn([...read, ...eventsOf(given(movie, ...read).when(observe(film)))]), byId.identity)
  const renamed = withFacts(second, facts)
  t.match(eventsOf(given(movie, ...read).when(observe(renamed))).at(-1), { type: 'MovieIdentified', data: renamed.identity })
})

t.test('a version in a folder without images takes no image away', async (t) => {
  const pictured = { ...film, artwork: { ...noArtwork, poster: poster('/films/Metropolis (1927)/poster.jpg') } }
  const past = observed(pictured, second)
  t.match(given(movie, ...past).state.artwork, pictured.artwork)
  const backdrop = poster('/films/Metropolis (1927) 4K/fanart.jpg')
  t.match(given(movie, ...past).when(observe({ ...second, artwork: { ...noArtwork, backdrop } })), [
    { data: { artwork: { ...pictured.artwork, backdrop } } },
  ])
})

t.test('the image of a version whose folder is renamed goes along', async (t) => {
  const pictured = { ...film, artwork: { ...noArtwork, poster: poster('/films/Metropolis (1927)/poster.jpg') } }
  const renamed = {
    ...at('/films/Metropolis/Metropolis.mkv'),
    artwork: { ...noArtwork, poster: poster('/films/Metropolis/poster.jpg') },
  }
  t.match(given(movie, ...observed(pictured, second)).when(observe(renamed)), [
    { type: 'MovieFileMoved' },
    { data: { artwork: renamed.artwork } },
  ])
})

t.test('versions with images of their own do not take turns: the first image stays', async (t) => {
  const pictured = { ...film, artwork: { ...noArtwork, poster: poster('/films/Metropolis (1927)/poster.jpg') } }
  const other = { ...second, artwork: { ...noArtwork, poster: poster('/films/Metropolis (1927) 4K/poster.jpg') } }
  const past = observed(pictured, other)
  t.match(given(movie, ...past).state.artwork, pictured.artwork)
  t.strictSame(given(movie, ...past).when(observe(pictured)), [])
  const changed = { ...pictured, artwork: { ...noArtwork, poster: poster('/films/Metropolis (1927)/folder.jpg') } }
  t.match(given(movie, ...past).when(observe(changed)), [{ data: { artwork: changed.artwork } }], 'a new one in its own folder counts')
  t.match(given(movie, ...past).when(observe(film)), [{ data: { artwork: noArtwork } }], 'and so does one that is gone')
})

t.test('a still of a file that is missing gives way to one of a file that is there', async (t) => {
  const withStill = (found: FoundMediaFile) => ({ ...found, artwork: { ...noArtwork, poster: stillOf(found.location) } })
  const [one, two] = [withStill(film), withStill(second)]
  const past = observed(one, two)
  t.match(given(movie, ...past).state.artwork, one.artwork, 'while both are there, the first one stays')
  const lost = eventsOf(given(movie, ...past).when(lose(fileId, stillOf)))
  t.match(lost, [{ type: 'MovieFileMissing' }, { type: 'MovieArtworkChosen', data: { artwork: two.artwork } }])
  const bothLost = [...past, ...lost, ...eventsOf(given(movie, ...past, ...lost).when(lose(second.fileId, stillOf)))]
  t.match(given(movie, ...bothLost).state.artwork, two.artwork, 'without any file the last one stays')
  const back = given(movie, ...bothLost).when(regain(fileId, stillOf))
  t.match(back, [{ type: 'MovieFileReturned' }, { type: 'MovieArtworkChosen', data: { artwork: one.artwork } }])
})

t.test('an image beside a film stays when one of its files goes or comes back', async (t) => {
  const pictured = { ...film, artwork: { ...noArtwork, poster: poster('/films/Metropolis (1927)/poster.jpg') } }
  const past = observed(pictured, second)
  const lost = eventsOf(given(movie, ...past).when(lose(fileId, stillOf)))
  t.strictSame(typesOf(lost), ['MovieFileMissing'])
  t.strictSame(typesOf(given(movie, ...past, ...lost).when(regain(fileId, stillOf))), ['MovieFileReturned'])
})
