import t from 'tap'
import type { ImportItem } from '../../../src/events/history-events.ts'
import { createCluster, allowed } from '../../fixtures/node-fixture.ts'
import { household } from './household.ts'
import { BRAZIL, HEAT, importsOf, minuteOf, ownOf, take, undo, unknownFilms } from './import-household.ts'

/** Most items of a page. */
const PAGE = 5_000

const viewingsOfBrazil = (count: number): readonly ImportItem[] =>
  Array.from({ length: count }, (_, n) => ({ ...BRAZIL, watchedAt: minuteOf(n) }))

t.test('a full page of films that are missing here waits for them, with the film that is here imported', async (t) => {
  const { node, ann, brazil } = await household(t)
  const items = [BRAZIL, ...unknownFilms(PAGE - 1)]
  const { importId, imported, unmatched } = allowed(await take(node, ann, items))
  t.equal(imported, 1)
  t.equal(unmatched.length, PAGE - 1)
  t.match(await importsOf(node, ann), [{ id: importId, imported: 1, waiting: PAGE - 1 }])
  t.match(allowed(await take(node, ann, items)), { imported: 0, known: PAGE, unmatched: [] }, 'again')
  t.equal(await undo(node, ann, importId), undefined)
  const undone = (await importsOf(node, ann)).find(({ id }) => id === importId)
  t.match(undone, { imported: 0, waiting: 0, undoneAt: String })
  t.match(await ownOf(node, ann, brazil), { watched: false, plays: 0 })
})

t.test('thousands of viewings of one film are imported, and undone', async (t) => {
  const { node, ann, brazil } = await household(t)
  const items = viewingsOfBrazil(2_000)
  const { importId, imported } = allowed(await take(node, ann, items))
  t.equal(imported, 2_000)
  t.match(await ownOf(node, ann, brazil), { watchedAt: minuteOf(0), plays: 2_000 })
  t.match(allowed(await take(node, ann, items)), { imported: 0, known: 2_000 })
  t.equal(await undo(node, ann, importId), undefined)
  t.match(await ownOf(node, ann, brazil), { watched: false, plays: 0 })
})

t.test('thousands of viewings that waited for one film are imported when it appears', async (t) => {
  const { node, films, ann } = await household(t)
  const items = Array.from({ length: 2_000 }, (_, n) => ({ ...HEAT, watchedAt: minuteOf(n) }))
  allowed(await take(node, ann, items))
  node.mediaFiles.put('/films/Heat (1995).mkv')
  await node.scan(films)
  await node.clock.advance(1_000)
  await node.seen()
  t.match(await importsOf(node, ann), [{ imported: 2_000, waiting: 0 }])
  t.match(await ownOf(node, ann, await node.movieNamed('Heat')), { plays: 2_000 })
})

t.test('a page that failed in the middle is completed when it is repeated, and undone as a whole', async (t) => {
  const cluster = createCluster()
  let appends = Infinity
  const append: typeof cluster.log.append = async (stream, ...rest) => {
    const isPart = stream.startsWith('watched-') || stream.startsWith('import-')
    if (isPart && appends-- <= 0) throw new Error('The program is killed')
    return cluster.log.append(stream, ...rest)
  }
  const { node, ann, brazil } = await household(t, { cluster: { ...cluster, log: { ...cluster.log, append } } })
  const items = [...viewingsOfBrazil(1_500), ...unknownFilms(1_500)]
  const whole = { imported: 1_500, waiting: 1_500 }
  const sums = async () => {
    const imports = await importsOf(node, ann)
    return {
      imported: imports.reduce((sum, { imported }) => sum + imported, 0),
      waiting: imports.reduce((sum, { waiting }) => sum + waiting, 0),
    }
  }
  for (let attempt = 0; ; attempt++) {
    appends = 12
    const done = await take(node, ann, items).catch(() => undefined)
    await node.seen()
    const { imported, waiting } = await sums()
    t.ok(imported <= whole.imported && waiting <= whole.waiting, `attempt ${attempt}: ${imported} imported, ${waiting} wait`)
    if (done) break
    t.ok(attempt < 20, 'each attempt adds a part')
    if (attempt >= 20) return
  }
  t.strictSame(await sums(), whole)
  t.match(await ownOf(node, ann, brazil), { plays: 1_500 })
  appends = Infinity
  for (const { id } of await importsOf(node, ann)) t.equal(await undo(node, ann, id), undefined)
  t.match(await ownOf(node, ann, brazil), { watched: false, plays: 0 })
  t.strictSame(await sums(), { imported: 0, waiting: 0 })
})
