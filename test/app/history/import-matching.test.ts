/** Which movie an imported item is. */
import t from 'tap'
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import { movieStream } from '../../../src/events/streams.ts'
import { movie } from '../../../src/domain/movies/movie.ts'
import { factsOf } from '../../fixtures/movie-facts.ts'
import { named } from '../../fixtures/names.ts'
import { allowed } from '../../fixtures/node-fixture.ts'
import { household } from './household.ts'
import { ITEM, ownOf, take } from './import-household.ts'

const TITLES = ['Alien', 'Casablanca', 'Dune', 'Eraserhead', 'Fargo', 'Gandhi', 'Heat', 'Ikiru']

t.test('a film of the same title and year is another one if its id is another one', async (t) => {
  const { node, ann, ponyo } = await household(t)
  const item = { ...ITEM, title: 'Ponyo', year: 2008 }
  t.match(allowed(await take(node, ann, [{ ...item, tmdb: '999' }])), { imported: 0, unmatched: [{ reason: 'not_found' }] })
  t.match(allowed(await take(node, ann, [{ ...item, imdb: 'tt0876563' }])), { imported: 1 }, 'an id of another provider says nothing')
  t.match(await ownOf(node, ann, ponyo), { watched: true })
})

t.test('a film whose year is not known is found by its title', async (t) => {
  const { node, films, ann } = await household(t)
  node.mediaFiles.put('/films/Stalker.mkv')
  await node.scan(films)
  t.match((await node.movieNamed('Stalker')).details, { year: null })
  t.match(allowed(await take(node, ann, [{ ...ITEM, title: 'Stalker', year: 1979 }])), { imported: 1 })
})

t.test('a movie without any file is not found', async (t) => {
  const { node, films, ann } = await household(t)
  const movieId = named<'movie'>('nowhere')
  const events: readonly DomainEvent[] = [
    { type: 'MovieDiscovered', data: { movieId, libraryId: films } },
    { type: 'MovieIdentified', data: { movieId, source: 'name', confidence: 0.8, facts: factsOf('Nowhere', 1997) } },
  ]
  const author = { actor: 'system', command: 'test' }
  allowed(await node.commandHandler.execute({ stream: movieStream(movieId), decider: movie }, () => events, author))
  await node.seen()
  t.ok(await node.movieNamed('Nowhere'))
  t.match(allowed(await take(node, ann, [{ ...ITEM, title: 'Nowhere', year: 1997 }])), {
    imported: 0,
    unmatched: [{ reason: 'not_found' }],
  })
})

t.test('of a film in two libraries the one that was added first is marked, or the one that is there', async (t) => {
  const { node, films, kids, ann } = await household(t)
  for (const [library, folder] of [
    [films, '/films'],
    [kids, '/kids'],
  ] as const) {
    await node.clock.advance(1_000)
    for (const title of TITLES) node.mediaFiles.put(`${folder}/${title} (1979).mkv`)
    await node.scan(library)
  }
  const marked = async () => {
    const found = new Set<string>()
    for await (const { id, libraryId, details } of node.readModels.movies.walk({})) {
      if ((await ownOf(node, ann, { id })).watched) found.add(`${details.title} ${libraryId}`)
    }
    return found
  }
  const items = TITLES.map((title) => ({ ...ITEM, title, year: 1979 }))
  allowed(await take(node, ann, items.slice(0, 6)))
  const first = TITLES.slice(0, 6).map((title) => `${title} ${films}`)
  t.strictSame(await marked(), new Set(first))
  for (const title of TITLES) node.mediaFiles.remove(`/films/${title} (1979).mkv`)
  await node.scan(films)
  allowed(await take(node, ann, items.slice(6)))
  t.strictSame(await marked(), new Set([...first, ...TITLES.slice(6).map((title) => `${title} ${kids}`)]))
})
