import t, { type Test } from 'tap'
import type { CandidateSearch } from '../../../src/app/online/match-candidates.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { OnlineAway, OnlineRefused } from '../../../src/ports/online-metadata.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { createScriptedProvider, movieFactsOf, type ScriptedProvider } from '../scripted-provider.ts'

const FILMS = {
  593: movieFactsOf('Solaris', 1972),
  2103: movieFactsOf('Solaris', 2002, { overview: 'A psychologist.' }),
  9: movieFactsOf('Solo', 1972),
}
const never = new AbortController().signal

async function furnished(t: Test, online: ScriptedProvider | undefined) {
  const node = await openNodeFixture(t, online ? { online } : {})
  node.mediaFiles.put('/films/Solaris (1972)/Solaris (1972).mkv')
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  await node.seen()
  const { id } = await node.movieNamed('Solaris')
  const admin = await node.person({ role: 'admin' })
  if (online) online.asked.length = 0
  return { node, admin, id }
}

const ask = ({ matchCandidates }: NodeFixture, { caller }: Person, id: string, search: CandidateSearch = {}) =>
  matchCandidates.find(caller, id, { search, signal: never })

t.test('candidates of the film’s year come first, then those of other years, each once', async (t) => {
  const provider = createScriptedProvider(FILMS)
  const { node, admin, id } = await furnished(t, provider)
  const found = allowed(await ask(node, admin, id))
  t.strictSame(provider.asked, ['search Solaris 1972 en', 'search Solaris null en'])
  t.strictSame(
    found.candidates.map(({ title, year }) => `${title} ${year}`),
    ['Solo 1972', 'Solaris 1972', 'Solaris 2002'],
  )
  t.match([found.title, found.year], ['Solaris', 1972])
  t.match(found.candidates[2], { tmdb: '2103', overview: 'A psychologist.', poster: '/poster2103.jpg', isCurrent: false })
})

t.test('a year that is asked for gives films of that year only, and a title is searched for as it is', async (t) => {
  const provider = createScriptedProvider(FILMS)
  const { node, admin, id } = await furnished(t, provider)
  t.match(allowed(await ask(node, admin, id, { year: 2002 })).candidates, [{ tmdb: '2103' }])
  t.strictSame(provider.asked, ['search Solaris 2002 en'])
  t.match(allowed(await ask(node, admin, id, { title: 'Solo' })).candidates.length, 3)
  t.strictSame(provider.asked.slice(1), ['search Solo 1972 en', 'search Solo null en'])
})

t.test('a film that was pinned is marked, and what its files say is searched for', async (t) => {
  const provider = createScriptedProvider(FILMS)
  const { node, admin, id } = await furnished(t, provider)
  const pin = { tmdb: '9', imdb: null, title: null, year: null }
  t.match(allowed(await node.movieCorrections.pinMatch(admin.caller, id, pin, ORIGIN)).movie.details.title, 'Solo')
  const found = allowed(await ask(node, admin, id))
  t.equal(found.title, 'Solaris', 'the name of a wrong match would find the wrong film again')
  t.strictSame(
    found.candidates.filter(({ isCurrent }) => isCurrent).map(({ tmdb }) => tmdb),
    ['9'],
  )
})

t.test('without a provider, for an unknown movie, and without a grant there are none', async (t) => {
  const { node, admin, id } = await furnished(t, undefined)
  t.match(await ask(node, admin, id), { refusal: 'conflict', message: /MARQUEE_TMDB_KEY/ })
  t.match(await node.candidatePosters.get('/poster593.jpg', never), { refusal: 'conflict' })
  t.match(await ask(node, admin, 'zzzzzzzzzzzzzzzzzzzzz'), { refusal: 'not-found' })
  t.match(await ask(node, await node.person({ libraryAccess: 'selected' }), id), { refusal: 'not-found' })
})

t.test('a provider that is away, hangs, or rejects the key is named as the reason', async (t) => {
  const provider = createScriptedProvider(FILMS)
  const { node, admin, id } = await furnished(t, provider)
  provider.fail(new OnlineAway('tmdb.test answered 500', { retryAfterMs: 30_400 }))
  t.match(await ask(node, admin, id), { refusal: 'unavailable', message: /answered 500/, retryAfterSeconds: 31 })
  provider.fail(new OnlineRefused('tmdb.test does not take the key in MARQUEE_TMDB_KEY'))
  t.match(await ask(node, admin, id), { refusal: 'conflict', message: /MARQUEE_TMDB_KEY.*another key/ })
  provider.fail()
  provider.hang(true)
  const asked = provider.asked.length
  const waiting = ask(node, admin, id)
  while (provider.asked.length === asked) await new Promise(setImmediate)
  await node.clock.advance(15_000)
  t.match(await waiting, { refusal: 'unavailable', message: /did not answer in time/, retryAfterSeconds: 10 })
})

t.test('a client that has left ends the search', async (t) => {
  const provider = createScriptedProvider(FILMS)
  const { node, admin, id } = await furnished(t, provider)
  provider.hang(true)
  const gone = new AbortController()
  const waiting = node.matchCandidates.find(admin.caller, id, { search: {}, signal: gone.signal })
  while (provider.asked.length === 0) await new Promise(setImmediate)
  gone.abort(new Error('left'))
  await t.rejects(waiting, { message: 'left' })
})

t.test('at most twenty candidates are given', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n + 1}`, movieFactsOf(`Solaris ${n}`, n < 15 ? 1972 : 2002)]))
  const { node, admin, id } = await furnished(t, createScriptedProvider(many))
  const found = await ask(node, admin, id)
  t.equal(isRefusal(found) ? found.message : found.candidates.length, 20)
})
