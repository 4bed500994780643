import t from 'tap'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'

const ids = createSystemIds()

t.test('every character of an identifier is as likely as any other', async (t) => {
  const drawn = Array.from({ length: 20_000 }, () => ids.next<'movie'>())
  const first = Map.groupBy(drawn, (id) => id.charAt(0))
  const rest = Map.groupBy(
    drawn.flatMap((id) => id.slice(1).split('')),
    (character) => character,
  )
  t.equal(first.size, 62)
  t.equal(rest.size, 64)
  // Eight standard deviations: never exceeded by chance, always by a relevant bias.
  const isEven = (groups: ReadonlyMap<string, readonly unknown[]>, count: number): boolean => {
    const expected = count / groups.size
    return [...groups.values()].every((group) => Math.abs(group.length - expected) < 8 * Math.sqrt(expected))
  }
  t.ok(isEven(first, 20_000))
  t.ok(isEven(rest, 400_000))
})

t.test('ids of events sort by the millisecond of their making', async (t) => {
  const [before, id, after] = [Date.now(), ids.event(), Date.now()]
  const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  t.ok(madeAt >= before && madeAt <= after)
})
