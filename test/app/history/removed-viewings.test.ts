import t from 'tap'
import { allowed, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { household } from './household.ts'
import { BRAZIL, importsOf, ITEM, ownOf, take, undo } from './import-household.ts'

const PONYO = { ...ITEM, title: 'Ponyo', year: 2008 }

async function titles(node: NodeFixture, { caller }: Person, asOf?: string): Promise<readonly (string | null)[]> {
  const { userId } = caller
  const past = asOf === undefined ? undefined : allowed(await node.past.at(userId, asOf, new AbortController().signal))
  const { items } = await node.history.list({ caller, operation: 'GET /v1/history', origin: ORIGIN }, { userId }, { limit: 100 }, past)
  return items.map(({ title }) => title)
}

async function remove(node: NodeFixture, { caller }: Person, title: string): Promise<void> {
  const { userId } = caller
  const { items } = await node.history.list({ caller, operation: 'GET /v1/history', origin: ORIGIN }, { userId }, { limit: 100 })
  const id = items.find((entry) => entry.title === title)?.id ?? ''
  t.equal(await node.history.hide(caller, id, ORIGIN), undefined)
}

/** A time after all that has happened. */
async function thenOf({ clock }: NodeFixture): Promise<string> {
  await clock.advance(1_000)
  const then = new Date(clock.now()).toISOString()
  await clock.advance(1_000)
  return then
}

t.test('a viewing that was removed stays removed at earlier times after its import was undone, and if it is imported again', async (t) => {
  const { node, ann, brazil } = await household(t)
  const { importId } = allowed(await take(node, ann, [BRAZIL, PONYO]))
  const then = await thenOf(node)
  await remove(node, ann, 'Brazil')
  t.strictSame(await titles(node, ann, then), ['Ponyo'])
  t.equal(await undo(node, ann, importId), undefined)
  t.strictSame(await titles(node, ann, then), ['Ponyo'])
  t.strictSame(await titles(node, ann), [])
  t.strictSame(await ownOf(node, ann, brazil), { watched: false, watchedAt: null, plays: 0, left: null })
  const before = (await node.events()).length
  t.equal(await undo(node, ann, importId), undefined)
  t.equal((await node.events()).length, before, 'nothing is left to undo')
  t.match(allowed(await take(node, ann, [BRAZIL, PONYO])), { imported: 2 })
  t.match(await ownOf(node, ann, brazil), { watched: true, plays: 1 })
  const again = await thenOf(node)
  for (const asOf of [undefined, then, again]) t.strictSame(await titles(node, ann, asOf), ['Ponyo'])
  t.match(await importsOf(node, ann), [{ imported: 2 }, { imported: 0 }])
})
