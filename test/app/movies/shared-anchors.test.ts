import t from 'tap'
import { createSharedAnchors } from '../../../src/app/movies/shared-anchors.ts'
import { ORIGIN } from '../../fixtures/node-fixture.ts'
import { furnished } from './listed-movies.ts'

const ANCHORS = { total: 0, items: [], letters: [] }

t.test('anchors are collected once until the tag changes, also for requests at the same time', async (t) => {
  const shared = createSharedAnchors()
  let made = 0
  const of = (tag: string | undefined, key = 'list') => shared.of(key, tag, async () => (made++, { ...ANCHORS, total: made }))
  t.strictSame(await Promise.all([of('first'), of('first')]), [
    { ...ANCHORS, total: 1 },
    { ...ANCHORS, total: 1 },
  ])
  t.match(await of('first'), { total: 1 })
  t.match(await of('first', 'other list'), { total: 2 })
  t.match(await of('second'), { total: 3 })
  t.match(await of('second'), { total: 3 })
  t.match(await of(undefined), { total: 4 }, 'reads may still show an older state')
  t.match(await of(undefined), { total: 5 })
})

t.test('a failure is not kept', async (t) => {
  const shared = createSharedAnchors()
  await t.rejects(
    shared.of('list', 'tag', async () => {
      throw new Error('The store is away')
    }),
    /away/,
  )
  t.strictSame(await shared.of('list', 'tag', async () => ANCHORS), ANCHORS)
})

t.test('people who see the same libraries share anchors, but not those of lists by their own marks', async (t) => {
  const { node, caller, libraryIds } = await furnished(t)
  const { caller: same } = await node.person({ libraryAccess: 'selected', libraryIds })
  const { caller: other } = await node.person({ libraryAccess: 'selected', libraryIds: libraryIds.slice(1) })
  const anchorsOf = (who: typeof caller, own: { readonly watched?: boolean } = {}) =>
    node.movies.anchors(who, { sort: 'title', order: 'asc', every: 10, ...own })
  const mine = await anchorsOf(caller)
  t.equal(await anchorsOf(same), mine, 'the very same')
  const theirs = await anchorsOf(other)
  t.not(theirs, mine)
  t.notSame(theirs, mine)
  t.notSame(await anchorsOf(same, { watched: true }), await anchorsOf(caller, { watched: true }))
  const [film] = (await node.movies.list(caller, { sort: 'title', order: 'asc', limit: 1 })).items
  const { caller: admin } = await node.person({ role: 'admin' })
  await node.movieCorrections.edit(admin, film?.movie.card.id ?? '', { title: 'Zulu' }, ORIGIN)
  t.not(await anchorsOf(same), mine, 'a movie has changed')
})
