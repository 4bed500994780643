import t from 'tap'
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'

t.test('undefined members are dropped, all other values and their order stay', async (t) => {
  const name: string | undefined = undefined
  const members = { last: 0, name, first: '', none: null, no: false }
  t.strictSame(Object.entries(omitUndefined(members)), [
    ['last', 0],
    ['first', ''],
    ['none', null],
    ['no', false],
  ])
})

t.test('a member that may be undefined becomes optional, a member that may not stays required', async (t) => {
  const options = (id: number, name: string | undefined): { readonly id: number; readonly name?: string } => omitUndefined({ id, name })
  t.strictSame(options(1, undefined), { id: 1 })
  t.strictSame(options(1, 'Metropolis'), { id: 1, name: 'Metropolis' })
})
