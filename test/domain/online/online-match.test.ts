import t from 'tap'
import type { EventData } from '../../../src/events/catalogue.ts'
import type { OnlineQuestion } from '../../../src/events/movie-events.ts'
import { movie, observe, type FoundMediaFile, type MovieState } from '../../../src/domain/movies/movie.ts'
import { pinMatch } from '../../../src/domain/movies/movie-corrections.ts'
import {
  chooseCandidate,
  lacksOnline,
  matchOnline,
  questionOf,
  type Candidate,
  type OnlineAnswer,
} from '../../../src/domain/online/online-match.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { factsOf, mediaOf } from '../../fixtures/movie-facts.ts'
import { given, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const [movieId, libraryId] = [named<'movie'>('solaris'), named<'library'>('films')]
const NOTHING: OnlineQuestion = { tmdb: null, imdb: null, title: null, originalTitle: null, year: null }
const NO_PIN: EventData['MovieMatchPinned'] = { movieId, tmdb: null, imdb: null, title: null, year: null }
const NO_IMAGES = { poster: null, backdrop: null, logo: null }

const discovered: Happened = { type: 'MovieDiscovered', data: { movieId, libraryId } }
const identified = (more: Parameters<typeof factsOf>[2] = {}, year: number | null = 1972): Happened => ({
  type: 'MovieIdentified',
  data: { movieId, source: 'name', confidence: 0.8, facts: factsOf('Solaris', year, more) },
})
const pinned = (pin: Partial<typeof NO_PIN>): Happened => ({ type: 'MovieMatchPinned', data: { ...NO_PIN, ...pin } })
const byTitle: OnlineQuestion = { ...NOTHING, title: 'Solaris', year: 1972 }
const answer = (asked: OnlineQuestion, tmdb = '593', language = 'en'): OnlineAnswer => ({
  asked,
  confidence: 0.9,
  language,
  facts: factsOf('Солярис', 1972, { externalIds: { tmdb, imdb: 'tt0069293' } }),
  artwork: NO_IMAGES,
})
const matched = (...asked: Parameters<typeof answer>): Happened => ({
  type: 'MovieMatchedOnline',
  data: { movieId, libraryId, provider: 'tmdb', ...answer(...asked) },
})
const stateAfter = (...past: readonly Happened[]): MovieState => given(movie, ...past).state
const typesOf = (decision: ReturnType<ReturnType<typeof given>['when']>): readonly string[] =>
  isRefusal(decision) ? [decision.refusal] : decision.map(({ type }) => type)

t.test('a provider is asked for the surest that is known', async (t) => {
  const ids = { externalIds: { tmdb: '593', imdb: 'tt0069293' } }
  const rows: readonly (readonly [string, readonly Happened[], OnlineQuestion | undefined])[] = [
    ['nothing is known yet', [], undefined],
    ['title and year', [identified({ originalTitle: 'Солярис' })], { ...byTitle, originalTitle: 'Солярис' }],
    ['a title alone may be many films', [identified({}, null)], undefined],
    ['an id', [identified(ids)], { ...NOTHING, tmdb: '593' }],
    ['the other id', [identified({ externalIds: { tmdb: null, imdb: 'tt0069293' } })], { ...NOTHING, imdb: 'tt0069293' }],
    ['a pinned id', [identified(ids), pinned({ imdb: 'tt0307479' })], { ...NOTHING, imdb: 'tt0307479' }],
    ['a pinned title', [identified(ids), pinned({ title: 'Solaris', year: 2002 })], { ...NOTHING, title: 'Solaris', year: 2002 }],
    ['a pinned title without its year', [identified(ids), pinned({ title: 'Solaris' })], undefined],
  ]
  for (const [what, past, question] of rows) t.strictSame(questionOf(stateAfter(discovered, ...past)), question, what)
})

const candidate = (tmdb: string, title: string, year: number | null, originalTitle: string | null = null): Candidate => ({
  tmdb,
  title,
  originalTitle,
  year,
})

t.test('a candidate counts where title and year agree, and nothing else does', async (t) => {
  const asked: OnlineQuestion = { ...NOTHING, title: 'Amelie - The Movie', originalTitle: 'Le Fabuleux Destin', year: 2001 }
  const rows: readonly (readonly [string, readonly Candidate[], ReturnType<typeof chooseCandidate>])[] = [
    ['none', [], undefined],
    ['case, accents and signs apart', [candidate('1', 'Amélie: the movie', 2001)], { tmdb: '1', confidence: 0.9 }],
    ['by its original title', [candidate('1', 'Amelie', 2001, 'Amelie The Movie')], { tmdb: '1', confidence: 0.9 }],
    ['by what the .nfo calls original', [candidate('1', 'LE FABULEUX DESTIN', 2001)], { tmdb: '1', confidence: 0.9 }],
    ['the first that agrees', [candidate('1', 'Amelie', 2001), candidate('2', 'Amelie The Movie', 2001)], { tmdb: '2', confidence: 0.9 }],
    ['a longer title', [candidate('1', 'Amelie The Movie 2', 2001)], undefined],
    ['no year', [candidate('1', 'Amelie The Movie', null)], undefined],
    ['a year beside with its title only', [candidate('1', 'Amelie The Movie', 2002, 'Other')], undefined],
    ['a year beside with its original title', [candidate('1', 'X', 2002, 'Le fabuleux destin')], { tmdb: '1', confidence: 0.8 }],
    ['two such', [candidate('1', 'X', 2002, 'Le fabuleux destin'), candidate('2', 'Y', 2000, 'Le fabuleux destin')], undefined],
    ['two years apart', [candidate('1', 'X', 2003, 'Le fabuleux destin')], undefined],
  ]
  for (const [what, candidates, chosen] of rows) t.strictSame(chooseCandidate(asked, candidates), chosen, what)
  t.equal(chooseCandidate({ ...asked, title: 'New York', originalTitle: null }, [candidate('1', 'New York, New York', 2001)]), undefined)
  t.match(chooseCandidate({ ...asked, title: '*batteries', originalTitle: null }, [candidate('1', 'Batteries', 2001)]), { tmdb: '1' })
  t.equal(chooseCandidate({ ...asked, title: '???', originalTitle: null }, [candidate('1', '!!!', 2001)]), undefined)
})

t.test('what a provider says is noted once, and not for another film than the movie has become', async (t) => {
  const past = [discovered, identified()]
  t.match(given(movie, ...past).when(matchOnline(answer(byTitle))), [
    { type: 'MovieMatchedOnline', data: { movieId, libraryId, provider: 'tmdb', ...answer(byTitle) } },
  ])
  t.strictSame(given(movie, ...past, matched(byTitle)).when(matchOnline(answer(byTitle))), [])
  t.strictSame(typesOf(given(movie, ...past, matched(byTitle)).when(matchOnline(answer(byTitle, '593', 'de')))), ['MovieMatchedOnline'])
  t.strictSame(given(movie, ...past, pinned({ tmdb: '2103' })).when(matchOnline(answer(byTitle))), [], 'pinned meanwhile')
  t.strictSame(given(movie).when(matchOnline(answer(byTitle))), [], 'a movie that is not there')
})

t.test('a provider is asked where nothing, another film or another language is known', async (t) => {
  const past = [discovered, identified()]
  t.strictSame(lacksOnline(stateAfter(...past), 'en'), byTitle)
  t.equal(lacksOnline(stateAfter(...past, matched(byTitle)), 'en'), undefined)
  t.strictSame(lacksOnline(stateAfter(...past, matched(byTitle)), 'de'), byTitle)
  t.equal(lacksOnline(stateAfter(...past, matched(byTitle), identified({ overview: 'new' })), 'en'), undefined)
})

t.test('two versions of a film of which one has an id in its name do not end the match in turns', async (t) => {
  const withId = identified({ externalIds: { tmdb: '593', imdb: null } })
  const asked: OnlineQuestion = { ...NOTHING, tmdb: '593' }
  const facts = factsOf('Solaris', 1972, { externalIds: { tmdb: '593', imdb: null } })
  const past = [discovered, withId, matched(asked)].map((one) =>
    one.type === 'MovieMatchedOnline' ? { ...one, data: { ...one.data, facts } } : one,
  )
  for (const turn of [[], [identified()], [identified(), withId]]) t.equal(lacksOnline(stateAfter(...past, ...turn), 'en'), undefined)
  t.strictSame(lacksOnline(stateAfter(...past, identified({}, 2002)), 'en'), { ...byTitle, year: 2002 }, 'another year, another film')
})

t.test('a pinned match removes the other film’s facts in the same append, and keeps those of this one', async (t) => {
  const past = [discovered, identified(), matched(byTitle)]
  t.strictSame(typesOf(given(movie, ...past).when(pinMatch({ ...NO_PIN, tmdb: '2103' }))), ['MovieMatchPinned', 'MovieUnmatchedOnline'])
  t.strictSame(typesOf(given(movie, ...past).when(pinMatch({ ...NO_PIN, tmdb: '593' }))), ['MovieMatchPinned'])
  t.strictSame(typesOf(given(movie, ...past).when(pinMatch({ ...NO_PIN, imdb: 'tt0069293' }))), ['MovieMatchPinned'])
  t.strictSame(typesOf(given(movie, ...past).when(pinMatch({ ...NO_PIN, title: 'Solaris', year: 2002 }))), [
    'MovieMatchPinned',
    'MovieUnmatchedOnline',
  ])
  t.equal(stateAfter(...past, { type: 'MovieUnmatchedOnline', data: { movieId } }).online, null)
})

t.test('scans and the provider overwrite nothing of each other, and neither is recorded again', async (t) => {
  const film: FoundMediaFile = {
    movieId,
    libraryId,
    fileId: named('file'),
    location: { path: '/films/Solaris (1972).mkv', root: '/films', stamp: { sizeBytes: 1, modifiedAtMs: 1, inode: 1 }, fingerprint: 'ab' },
    media: mediaOf(1000),
    sidecars: [],
    companions: 'none',
    identity: { source: 'name', confidence: 0.8, facts: factsOf('Solaris', 1972) },
    artwork: NO_IMAGES,
  }
  const first = given(movie).when(observe(film))
  const past = [...(isRefusal(first) ? [] : first), matched(byTitle)]
  t.strictSame(given(movie, ...past).when(observe(film)), [])
  const withNfo = (more: Parameters<typeof factsOf>[2]): FoundMediaFile => ({
    ...film,
    identity: { source: 'nfo', confidence: 1, facts: factsOf('Solaris', 1972, more) },
  })
  t.strictSame(typesOf(given(movie, ...past).when(observe(withNfo({ overview: 'A planet.' })))), ['MovieIdentified'])
  const same = withNfo({ externalIds: { tmdb: '593', imdb: null } })
  t.strictSame(typesOf(given(movie, ...past).when(observe(same))), ['MovieIdentified'], 'it names the film that was found')
  const other = withNfo({ externalIds: { tmdb: '2103', imdb: null } })
  t.strictSame(typesOf(given(movie, ...past).when(observe(other))), ['MovieIdentified', 'MovieUnmatchedOnline'])
  t.strictSame(typesOf(given(movie, ...past, pinned({ tmdb: '593' })).when(observe(other))), ['MovieIdentified'], 'a pinned match stands')
})
