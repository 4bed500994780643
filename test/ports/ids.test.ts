import t from 'tap'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { createSystemIds } from '../../src/adapters/node/ids.ts'
import { idsContract } from './ids-contract.ts'

t.test('of the system', async (t) => idsContract(t, createSystemIds()))

t.test('of the tests', async (t) => {
  idsContract(t, createTestIds())

  t.test('they are the same in each run, and differ from those of another series', async (t) => {
    const draw = (series: string): readonly string[] => {
      const ids = createTestIds({ series })
      return [ids.next(), ids.next(), ids.event(), ids.token()]
    }
    t.strictSame(draw('0'), draw('0'))
    t.equal(new Set([...draw('a'), ...draw('b')]).size, 8)
  })
})
