import t from 'tap'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'

const ids = createSystemIds()
/** Characters of an identifier that say when it was made. */
const TIME = 7

t.test('identifiers sort by the millisecond of their making', async (t) => {
  const made: string[] = []
  for (let n = 0; n < 20; n++) {
    made.push(ids.next())
    const ms = Date.now()
    while (Date.now() === ms) continue
  }
  t.strictSame(made.toSorted(), made)
  const first = new Set<string>()
  const { now } = Date
  t.teardown(() => (Date.now = now))
  const times = [0, 1, 63, 64, 64 ** 2, 64 ** 6 - 1, 64 ** 6, Date.UTC(2026), Date.UTC(2050), Date.UTC(2104)]
  const then = times.map((ms) => {
    Date.now = () => ms
    const id = ids.next()
    first.add(id.charAt(0))
    return id.slice(0, TIME)
  })
  t.strictSame(then.toSorted(), then)
  t.equal(new Set(then).size, times.length)
  t.ok([...first].every((character) => /[A-Za-z0-9]/.test(character)))
})

t.test('every character after that is as likely as any other', async (t) => {
  const drawn = Array.from({ length: 20_000 }, () => ids.next().slice(TIME))
  const groups = Map.groupBy(
    drawn.flatMap((rest) => rest.split('')),
    (character) => character,
  )
  t.equal(groups.size, 64)
  t.equal(new Set(drawn).size, drawn.length)
  // Eight standard deviations: never exceeded by chance, always by a relevant bias.
  const expected = (drawn.length * 14) / groups.size
  t.ok([...groups.values()].every((group) => Math.abs(group.length - expected) < 8 * Math.sqrt(expected)))
})

t.test('ids of events sort by the millisecond of their making', async (t) => {
  const [before, id, after] = [Date.now(), ids.event(), Date.now()]
  const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  t.ok(madeAt >= before && madeAt <= after)
})
