import t from 'tap'
import { allowed, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { household } from './household.ts'
import { BRAZIL, HEAT, importsOf, ITEM, minuteOf, ownOf, take, undo } from './import-household.ts'

const FIRST = '2019-01-01T20:00:00.000Z'

async function history(node: NodeFixture, person: Person) {
  const { userId } = person.caller
  const asking = { caller: person.caller, operation: 'GET /v1/history', origin: ORIGIN }
  const { items } = await node.history.list(asking, { userId }, { limit: 100 })
  return items.map(({ title, source, startedAt, completed }) => ({ title, source, startedAt, completed }))
}

const UNTOUCHED = { watched: false, watchedAt: null, plays: 0, left: null }

t.test('what was watched elsewhere is in the history and marked, by ids and by title', async (t) => {
  const { node, ann, brazil, ponyo } = await household(t)
  const done = allowed(await take(node, ann, [BRAZIL, { ...ITEM, tmdb: '12429', title: 'Gake no ue no Ponyo', plays: 3 }]))
  t.match(done, { imported: 2, known: 0, unmatched: [] })
  t.strictSame(
    (await history(node, ann)).toSorted((a, b) => (a.title ?? '').localeCompare(b.title ?? '')),
    ['Brazil', 'Ponyo'].map((title) => ({ title, source: 'import', startedAt: ITEM.watchedAt, completed: true })),
  )
  t.strictSame(await ownOf(node, ann, brazil), { watched: true, watchedAt: ITEM.watchedAt, plays: 1, left: null })
  t.strictSame(await ownOf(node, ann, ponyo), { watched: true, watchedAt: ITEM.watchedAt, plays: 3, left: null })
})

t.test('each item is taken once, however often it comes, in one request or in several', async (t) => {
  const { node, ann, brazil } = await household(t)
  const items = [BRAZIL, BRAZIL, { ...BRAZIL, watchedAt: FIRST }, HEAT]
  const first = allowed(await take(node, ann, items))
  t.match(first, { imported: 2, known: 1, unmatched: [{ index: 3, reason: 'not_found' }] })
  t.match(allowed(await take(node, ann, items)), { imported: 0, known: 4, unmatched: [] })
  t.match(allowed(await take(node, ann, items, { importId: first.importId })), { imported: 0, known: 4 })
  t.match(allowed(await take(node, ann, [BRAZIL], { source: 'plex' })), { imported: 1 }, 'another program tells of another viewing')
  t.strictSame(await ownOf(node, ann, brazil), { watched: true, watchedAt: FIRST, plays: 3, left: null })
})

t.test('what a program counts in all is added once, however the count has grown since', async (t) => {
  const { node, ann, brazil } = await household(t)
  const counted = (plays: number, watchedAt: string) => ({ ...BRAZIL, plays, tally: true as const, watchedAt })
  const jellyfin = { source: 'jellyfin' }
  const first = allowed(await take(node, ann, [counted(3, FIRST)], jellyfin))
  t.match(allowed(await take(node, ann, [counted(4, ITEM.watchedAt)], jellyfin)), { imported: 1 })
  t.match(await ownOf(node, ann, brazil), { plays: 4 })
  t.equal((await history(node, ann)).length, 2)
  t.match(allowed(await take(node, ann, [counted(4, '2020-04-01T20:00:00.000Z')], jellyfin)), { imported: 0, known: 1 }, 'begun again')
  t.match(allowed(await take(node, ann, [counted(2, ITEM.watchedAt)], { source: 'kodi' })), { imported: 1 })
  t.match(await ownOf(node, ann, brazil), { plays: 6 }, 'another program has counted others')
  t.equal(await undo(node, ann, first.importId), undefined)
  t.match(await ownOf(node, ann, brazil), { plays: 3 })
})

t.test('single viewings and a count of all of them add up to the count', async (t) => {
  const { node, ann, brazil } = await household(t)
  const counted = (plays: number, watchedAt: string) => ({ ...BRAZIL, plays, tally: true as const, watchedAt })
  const plex = { source: 'plex' }
  t.match(allowed(await take(node, ann, [BRAZIL, counted(5, FIRST)], plex)), { imported: 2 })
  const later = '2021-03-01T20:00:00.000Z'
  t.match(allowed(await take(node, ann, [BRAZIL, { ...BRAZIL, watchedAt: later }, counted(6, '2021-03-01T19:59:59.999Z')], plex)), {
    imported: 1,
    known: 2,
  })
  t.match(await ownOf(node, ann, brazil), { plays: 6 })
})

t.test('counts that have waited for their film are added once, and wait no longer', async (t) => {
  const { node, films, ann } = await household(t)
  const counted = (plays: number, watchedAt: string) => ({ ...HEAT, plays, tally: true as const, watchedAt })
  const kodi = { source: 'kodi' }
  await take(node, ann, [counted(3, ITEM.watchedAt), counted(3, '2020-04-01T20:00:00.000Z')], kodi)
  await take(node, ann, [counted(2, FIRST)], kodi)
  node.mediaFiles.put('/films/Heat (1995).mkv')
  await node.scan(films)
  await node.clock.advance(1_000)
  await node.seen()
  t.match(await ownOf(node, ann, await node.movieNamed('Heat')), { watched: true, plays: 3 })
  t.match(
    (await importsOf(node, ann)).map(({ imported, waiting }) => [imported, waiting]),
    [
      [1, 0],
      [1, 0],
    ],
  )
})

t.test('a dry run says the same and does nothing', async (t) => {
  const { node, ann, brazil } = await household(t)
  const before = (await node.events()).length
  t.match(allowed(await take(node, ann, [BRAZIL, HEAT], { dryRun: true })), {
    importId: null,
    imported: 1,
    unmatched: [{ index: 1, reason: 'not_found' }],
  })
  t.equal((await node.events()).length, before)
  t.strictSame(await ownOf(node, ann, brazil), UNTOUCHED)
})

t.test('a dry run reports exactly what the import then does, whatever was imported before', async (t) => {
  const { node, ann } = await household(t)
  const tally = (plays: number, watchedAt: string) => ({ ...BRAZIL, plays, tally: true as const, watchedAt })
  const pages = [
    [BRAZIL, BRAZIL, { ...BRAZIL, watchedAt: FIRST }, tally(2, '2021-01-01T20:00:00.000Z')],
    [BRAZIL, HEAT, { ...ITEM, tmdb: '12429' }],
    [tally(2, '2021-01-02T20:00:00.000Z'), tally(3, '2021-01-03T20:00:00.000Z'), HEAT],
    Array.from({ length: 120 }, (_, n) => ({ ...BRAZIL, watchedAt: minuteOf(n) })),
    [tally(123, '2021-01-04T20:00:00.000Z'), tally(124, '2021-01-05T20:00:00.000Z'), { ...BRAZIL, watchedAt: minuteOf(119) }],
  ]
  const seen = []
  for (const items of [...pages, ...pages]) {
    const before = (await node.events()).length
    const dry = allowed(await take(node, ann, items, { dryRun: true }))
    t.equal((await node.events()).length, before, 'nothing is stored')
    const real = allowed(await take(node, ann, items))
    t.strictSame(dry, { ...real, importId: null })
    seen.push([real.imported, real.known, real.unmatched.length])
  }
  t.strictSame(seen, [[2, 2, 0], [1, 1, 1], [1, 2, 0], [120, 0, 0], [1, 2, 0], ...[4, 3, 3, 120, 3].map((known) => [0, known, 0])])
})

t.test('a dry run is refused when the import would be', async (t) => {
  const { node, ann, child } = await household(t)
  const { importId } = allowed(await take(node, ann, [BRAZIL]))
  for (const dryRun of [true, false]) {
    t.match(await take(node, ann, [BRAZIL], { dryRun, importId: 'x' }), { refusal: 'not-found' })
    t.match(await take(node, child, [BRAZIL], { dryRun, importId }), { refusal: 'not-found' })
    t.match(await take(node, ann, [BRAZIL], { dryRun, importId, source: 'plex' }), { refusal: 'invalid', path: 'source' })
  }
  t.equal(await undo(node, ann, importId), undefined)
  for (const dryRun of [true, false]) t.match(await take(node, ann, [BRAZIL], { dryRun, importId }), { refusal: 'conflict' })
})

t.test('undoing takes back what the import brought, and nothing else', async (t) => {
  const { node, ann, brazil, ponyo } = await household(t)
  allowed(await node.movieMarks.markWatched(ann.caller, ponyo.id, FIRST, ORIGIN))
  const { importId } = allowed(await take(node, ann, [BRAZIL, { ...ITEM, tmdb: '12429' }, HEAT]))
  t.match(await ownOf(node, ann, ponyo), { watchedAt: FIRST, plays: 1 }, 'a mark keeps its time')
  await node.clock.advance(1_000)
  const other = allowed(await take(node, ann, [{ ...BRAZIL, positionMs: 600_000, plays: 0 }], { source: 'kodi' }))
  t.equal(await undo(node, ann, importId), undefined)
  t.strictSame(await ownOf(node, ann, brazil), { ...UNTOUCHED, left: 600_000 }, 'that of the other import stays')
  t.strictSame(await ownOf(node, ann, ponyo), { watched: true, watchedAt: FIRST, plays: 0, left: null })
  t.strictSame(
    (await history(node, ann)).map(({ title, source }) => [title, source]),
    [
      ['Brazil', 'import'],
      ['Ponyo', 'manual'],
    ],
    'that of the other import stays',
  )
  t.match(await importsOf(node, ann), [
    { id: other.importId, imported: 1, undoneAt: null },
    { id: importId, imported: 0, waiting: 0, undoneAt: String },
  ])
  t.strictSame(allowed(await node.historyImports.waiting(ann.caller.userId, importId ?? '', { limit: 10 })).items, [])
  t.match(await take(node, ann, [HEAT], { importId }), { refusal: 'conflict' })
  t.equal(await undo(node, ann, importId), undefined, 'a second time')
  t.match(allowed(await take(node, ann, [BRAZIL, HEAT])), { imported: 1, unmatched: [{ index: 1 }] }, 'and it can be imported again')
})

t.test('a film that was left is gone on with there, unless one has gone on here', async (t) => {
  const { node, ann, brazil, ponyo } = await household(t)
  allowed(await node.movieMarks.setResumePoint(ann.caller, ponyo.id, 300_000, ORIGIN))
  const left = { positionMs: 600_000, plays: 0 }
  const { importId } = allowed(
    await take(node, ann, [
      { ...BRAZIL, ...left },
      { ...ITEM, tmdb: '12429', ...left },
    ]),
  )
  t.strictSame(await ownOf(node, ann, brazil), { ...UNTOUCHED, left: 600_000 })
  t.strictSame(await ownOf(node, ann, ponyo), { ...UNTOUCHED, left: 300_000 })
  t.match(await history(node, ann), [{ completed: false }, { completed: false }])
  t.equal(await undo(node, ann, importId), undefined)
  t.strictSame(await ownOf(node, ann, brazil), UNTOUCHED)
  t.strictSame(await ownOf(node, ann, ponyo), { ...UNTOUCHED, left: 300_000 })
})

t.test('a film that was left and finished later is not gone on with, here or elsewhere, in whatever order its viewings come', async (t) => {
  const { node, ann, child, brazil, ponyo } = await household(t)
  const rowOf = async ({ caller }: Person) => {
    const { items } = await node.playback.continueWatching(caller, { limit: 10 })
    return items.map(({ movie, point }) => [movie.details.title, point.positionMs])
  }
  const kids = { ...ITEM, tmdb: '12429' }
  const left = { watchedAt: FIRST, positionMs: 600_000, plays: 0 }
  allowed(await take(node, ann, [{ ...BRAZIL, ...left }, BRAZIL]))
  allowed(await take(node, child, [kids, { ...kids, ...left }]))
  t.strictSame([await rowOf(ann), await rowOf(child)], [[], []])
  t.match([await ownOf(node, ann, brazil), await ownOf(node, child, ponyo)], [{ watched: true }, { watched: true }])

  allowed(await node.movieMarks.setResumePoint(ann.caller, ponyo.id, 300_000, ORIGIN))
  await node.clock.advance(60_000)
  const watchedAt = new Date(node.clock.now()).toISOString()
  const { importId } = allowed(await take(node, ann, [{ ...kids, watchedAt }]))
  t.strictSame(await rowOf(ann), [])
  t.equal(await undo(node, ann, importId), undefined)
  t.strictSame(await rowOf(ann), [['Ponyo', 300_000]])
})

t.test('what the user says afterwards holds', async (t) => {
  const { node, ann, brazil } = await household(t)
  const { importId } = allowed(await take(node, ann, [BRAZIL]))
  allowed(await node.movieMarks.markUnwatched(ann.caller, brazil.id, ORIGIN))
  t.match(allowed(await take(node, ann, [BRAZIL])), { imported: 0, known: 1 })
  t.match(await ownOf(node, ann, brazil), { watched: false })
  allowed(await node.movieMarks.markWatched(ann.caller, brazil.id, undefined, ORIGIN))
  t.equal(await undo(node, ann, importId), undefined)
  t.match(await ownOf(node, ann, brazil), { watched: true, plays: 0 })
})

t.test('an own mark on top of an imported one stays when the import is undone', async (t) => {
  const { node, ann, brazil } = await household(t)
  const { importId } = allowed(await take(node, ann, [BRAZIL]))
  allowed(await node.movieMarks.markWatched(ann.caller, brazil.id, undefined, ORIGIN))
  t.equal((await history(node, ann)).length, 1, 'it is no second viewing')
  t.equal(await undo(node, ann, importId), undefined)
  t.match(await ownOf(node, ann, brazil), { watched: true, watchedAt: ITEM.watchedAt })
})

t.test('films that one does not see are not there for an import, until they are', async (t) => {
  const { node, admin, films, kids, child, brazil } = await household(t)
  t.match(allowed(await take(node, child, [BRAZIL])), { imported: 0, unmatched: [{ index: 0, reason: 'not_found' }] })
  const grant = { libraryAccess: 'selected', libraryIds: [films, kids] } as const
  allowed(await node.users.change(admin.caller, child.caller.userId, grant, ORIGIN))
  await node.clock.advance(1_000)
  await node.seen()
  t.match(await importsOf(node, child), [{ imported: 1, waiting: 0 }])
  t.equal(
    (
      await node.readModels.viewings.find({
        where: [
          { field: 'movieId', op: 'eq', value: brazil.id },
          { field: 'hidden', op: 'eq', value: false },
        ],
        limit: 10,
      })
    ).items.length,
    1,
  )
})

t.test('an item waits for its film, and is imported when it appears or is called so', async (t) => {
  const { node, films, ann } = await household(t)
  const { importId } = allowed(await take(node, ann, [HEAT, { ...ITEM, imdb: 'tt0078748', title: 'Alien', year: 1979 }]))
  const waiting = async () => allowed(await node.historyImports.waiting(ann.caller.userId, importId ?? '', { limit: 10 })).items
  t.match((await waiting()).map(({ title, reason }) => `${title} ${reason}`).toSorted(), ['Alien not_found', 'Heat not_found'])
  node.mediaFiles.put('/films/Heat (1995).mkv')
  await node.scan(films)
  await node.clock.advance(1_000)
  await node.seen()
  t.match(
    (await waiting()).map(({ title }) => title),
    ['Alien'],
  )
  t.match(await history(node, ann), [{ title: 'Heat', source: 'import', completed: true }])
  t.match(await importsOf(node, ann), [{ imported: 1, waiting: 1 }])
  t.equal(await undo(node, ann, importId), undefined)
  t.strictSame(await history(node, ann), [])
})

t.test('an item that comes twice in a page waits once', async (t) => {
  const { node, ann } = await household(t)
  t.match(allowed(await take(node, ann, [HEAT, HEAT])), { imported: 0, known: 1, unmatched: { length: 1 } })
  t.match(await importsOf(node, ann), [{ imported: 0, waiting: 1 }])
})

t.test('an item of an import that was undone is not imported any more, although its film has just come', async (t) => {
  const { node, films, ann } = await household(t)
  const { importId } = allowed(await take(node, ann, [HEAT]))
  const { items } = await node.readModels.waitingItems.find({ limit: 10 })
  t.equal(items.length, 1)
  t.equal(await undo(node, ann, importId), undefined)
  node.mediaFiles.put('/films/Heat (1995).mkv')
  await node.scan(films)
  await node.historyImports.retry(ann.caller, items, { actor: 'system', command: 'test' })
  t.strictSame(await history(node, ann), [])
  t.strictSame(await ownOf(node, ann, await node.movieNamed('Heat')), UNTOUCHED)
})

t.test('two films of one name are distinguished by the year, or not at all', async (t) => {
  const { node, films, ann } = await household(t)
  for (const year of [1984, 2021]) node.mediaFiles.put(`/films/Dune (${year}).mkv`)
  await node.scan(films)
  const dune = { ...ITEM, title: 'Dune' }
  const done = allowed(await take(node, ann, [dune, { ...dune, year: 2020 }, { ...dune, year: 1999 }]))
  t.match(done, {
    imported: 1,
    unmatched: [
      { index: 0, reason: 'ambiguous' },
      { index: 2, reason: 'not_found' },
    ],
  })
  t.match(await history(node, ann), [{ title: 'Dune' }])
})

t.test('the future, and imports of others, are refused', async (t) => {
  const { node, ann, child } = await household(t)
  t.match(await take(node, ann, [BRAZIL, { ...HEAT, watchedAt: '2999-01-01T00:00:00.000Z' }]), {
    refusal: 'invalid',
    path: 'items.1.watchedAt',
  })
  t.strictSame(await importsOf(node, ann), [])
  const { importId } = allowed(await take(node, ann, [BRAZIL]))
  t.match(await take(node, child, [BRAZIL], { importId }), { refusal: 'not-found' })
  t.match(await take(node, ann, [HEAT], { importId, source: 'plex' }), { refusal: 'invalid', path: 'source' })
  t.match(await undo(node, child, importId), { refusal: 'not-found' })
  t.match(await node.historyImports.waiting(child.caller.userId, importId ?? '', { limit: 10 }), { refusal: 'not-found' })
  t.equal((await history(node, ann)).length, 1)
})
