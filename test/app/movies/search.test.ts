import t, { type Test } from 'tap'
import type { SearchResults } from '../../../src/app/movies/search.ts'
import { createScriptedProvider, movieFactsOf } from '../scripted-provider.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

const anna = (character: string) => ({ name: 'Anna Karina', character, picture: '/anna.jpg' })
const FILMS = {
  1: movieFactsOf('Alphaville', 1965, {
    cast: [anna('Natacha'), { name: 'Eddie Constantine', character: null }],
    collection: 'The Nouvelle Vague',
  }),
  2: movieFactsOf('Band of Outsiders', 1964, { cast: [anna('Odile')], crew: [], collection: 'The Nouvelle Vague' }),
  3: movieFactsOf('Anna', 1967, { cast: [{ name: 'Annabelle Other', character: null }, anna('Anna')], collection: null }),
  4: movieFactsOf('Secret Anna', 2001, { cast: [{ name: 'Anna Hidden', character: null }], collection: 'Anna’s Secrets' }),
}

async function furnished(t: Test) {
  const node = await openNodeFixture(t, { online: createScriptedProvider(FILMS) })
  const add = async (folder: string, films: readonly { readonly title: string; readonly year: number | null }[]) => {
    for (const { title, year } of films) node.mediaFiles.put(`${folder}/${title} (${year})/${title} (${year}).mkv`)
    const libraryId = await node.newLibrary(folder)
    await node.scan(libraryId)
    await node.seen()
    return libraryId
  }
  const open = await add('/films', [FILMS[1], FILMS[2], FILMS[3]])
  await add('/secrets', [FILMS[4]])
  for await (const { id } of node.readModels.movies.walk({})) await node.onlineFinder?.findSoon(id)
  await node.seen()
  const admin = await node.person({ role: 'admin' })
  const ann = await node.person({ libraryAccess: 'selected', libraryIds: [open] })
  const nobody = await node.person({ libraryAccess: 'selected', libraryIds: [] })
  return { node, admin, ann, nobody }
}

const shown = ({ movies, people, collections }: SearchResults) => ({
  movies: movies.map(({ movie }) => movie.card.title),
  people: people.map(({ name }) => name),
  collections: collections.map(({ collection }) => `${collection.name} ${collection.movieCount}`),
})

t.test('one text finds movies, people and collections, each of what the caller may see', async (t) => {
  const { node, admin, ann, nobody } = await furnished(t)
  t.strictSame(shown(await node.search.search(admin.caller, 'anna', 20)), {
    movies: ['Alphaville', 'Anna', 'Band of Outsiders', 'Secret Anna'],
    people: ['Anna Karina', 'Anna Hidden', 'Annabelle Other'],
    collections: ['Anna’s Secrets 1'],
  })
  t.strictSame(shown(await node.search.search(ann.caller, 'anna', 20)), {
    movies: ['Alphaville', 'Anna', 'Band of Outsiders'],
    people: ['Anna Karina', 'Annabelle Other'],
    collections: [],
  })
  t.strictSame(shown(await node.search.search(nobody.caller, 'anna', 20)), { movies: [], people: [], collections: [] })
})

t.test('each word begins a word of the same name, whatever its case, accents and place', async (t) => {
  const { node, ann } = await furnished(t)
  const people = async (text: string) => shown(await node.search.search(ann.caller, text, 20)).people
  t.strictSame(await people('KAR ánn'), ['Anna Karina'])
  t.strictSame(await people('anna constantine'), [], 'two people are not one')
  t.strictSame(await people('arina'), [])
  t.strictSame(await people('!?'), [])
  const found = await node.search.search(ann.caller, 'vague nouv', 20)
  t.match(found.collections, [{ collection: { name: 'The Nouvelle Vague', movieCount: 2 }, card: { watchedCount: 0 } }])
  t.strictSame(found.movies, [])
})

t.test('a limit holds for each kind', async (t) => {
  const { node, admin } = await furnished(t)
  t.strictSame(shown(await node.search.search(admin.caller, 'a', 1)), {
    movies: ['Alphaville'],
    people: ['Anna Karina'],
    collections: ['Anna’s Secrets 1'],
  })
})
