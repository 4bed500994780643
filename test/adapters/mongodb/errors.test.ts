import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkTimeoutError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb'
import t from 'tap'
import { isDuplicateKey, meansUnavailable } from '../../../src/adapters/mongodb/errors.ts'
import { TimedOut } from '../../../src/concurrency/timeout.ts'

const ofServer = (code: number): MongoServerError => new MongoServerError({ ok: 0, code, errmsg: 'no' })

t.test('transient errors, and errors that the operator has to fix, count as an outage', async (t) => {
  const labelled = ofServer(1)
  labelled.addErrorLabel('RetryableWriteError')
  const unconfirmed = new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } })
  const away = {
    'a password that was changed': ofServer(18),
    'a right that was taken': ofServer(13),
    'a set that has only just begun': ofServer(134),
    'a marked error of the server': labelled,
    'a write that too few have confirmed': unconfirmed,
    'no answer over the network': new MongoNetworkTimeoutError('timed out'),
    'a timeoutMS of the URL': new MongoOperationTimeoutError('Timed out'),
    'a bound of our own': new TimedOut('late'),
    'a name that DNS does not know at the moment': Object.assign(new Error('querySrv ESERVFAIL'), { code: 'ESERVFAIL' }),
    'a socket that was just closed': Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
  }
  for (const [what, error] of Object.entries(away)) t.equal(meansUnavailable(error), true, what)
})

/** As the driver reports it for a bulk write: its codes have another place than those of other errors. */
function ofBulk(codes: readonly number[], writeConcern?: number): MongoBulkWriteError {
  const confirmation = writeConcern === undefined ? undefined : { code: writeConcern, errmsg: 'no' }
  const result = { getWriteConcernError: () => confirmation } as unknown as MongoBulkWriteError['result']
  return new MongoBulkWriteError({ message: 'no', code: codes[0] ?? 0, writeErrors: codes.map((code) => ({ code })) as never }, result)
}

t.test('a bulk write that was cut short by a step-down, or that too few have confirmed, means that it is away', async (t) => {
  t.equal(meansUnavailable(ofBulk([10_107])), true, 'the first of its writes')
  t.equal(meansUnavailable(ofBulk([11_000, 189])), true, 'a later one')
  t.equal(meansUnavailable(ofBulk([], 64)), true, 'only the confirmation')
  t.equal(meansUnavailable(ofBulk([11_000], 64)), true, 'the confirmation beside a duplicate')
  t.equal(meansUnavailable(ofBulk([11_000])), false)
  t.equal(meansUnavailable(ofBulk([2])), false)
})

t.test('a cause that means away is seen through what wraps it', async (t) => {
  const inner = ofServer(189)
  t.equal(meansUnavailable(new MongoError('odd', { cause: new Error('odd', { cause: inner }) })), true)
  t.equal(meansUnavailable(new AggregateError([new Error('odd'), inner])), true)
  const round = new Error('odd')
  round.cause = round
  t.equal(meansUnavailable(round), false, 'and a cause of itself ends')
})

t.test('what would fail again does not', async (t) => {
  for (const error of [ofServer(11_000), ofServer(2), new MongoError('odd'), new TypeError('a fault of the program'), undefined]) {
    t.equal(meansUnavailable(error), false, String(error))
  }
  t.equal(isDuplicateKey(ofServer(11_000)), true)
})
