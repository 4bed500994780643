import t from 'tap'
import { adminSeats, leaveSeat, takeSeat } from '../../../src/domain/accounts/admin-seats.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const [ann, ben] = [named<'user'>('ann'), named<'user'>('ben')]
const taken = (userId: typeof ann) => ({ type: 'NameClaimed', data: { kind: 'admin', userId } }) as const
const left = (userId: typeof ann) => ({ type: 'NameReleased', data: { kind: 'admin', userId } }) as const
const LAST = { refusal: 'conflict', message: /last administrator/ }

t.test('a seat is taken once', async (t) => {
  t.strictSame(given(adminSeats).when(takeSeat(ann)), [taken(ann)])
  t.strictSame(given(adminSeats, taken(ann)).when(takeSeat(ann)), [])
  t.strictSame(given(adminSeats, taken(ann), left(ann)).when(takeSeat(ann)), [taken(ann)])
})

t.test('the last seat cannot be left, regardless of who else has had one', async (t) => {
  t.match(given(adminSeats, taken(ann)).when(leaveSeat(ann)), LAST)
  t.match(given(adminSeats, taken(ann), taken(ben), left(ben)).when(leaveSeat(ann)), LAST)
  t.strictSame(given(adminSeats, taken(ann), taken(ben)).when(leaveSeat(ann)), [left(ann)])
})

t.test('an admin who is not counted may go, as long as one who is counted stays', async (t) => {
  t.strictSame(given(adminSeats, taken(ben)).when(leaveSeat(ann)), [])
  t.match(given(adminSeats).when(leaveSeat(ann)), LAST)
})

t.test('claims of other names take no seats', async (t) => {
  const claimed = { type: 'NameClaimed', data: { kind: 'email', userId: ben } } as const
  t.match(given(adminSeats, taken(ann), claimed).when(leaveSeat(ann)), LAST)
})
