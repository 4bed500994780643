/** Tests transactions on fake driver sessions; tests on a replica set cover their effects. */
import { MongoServerError, type ClientSession } from 'mongodb'
import t from 'tap'
import { inTransaction } from '../../../src/adapters/mongodb/transactions.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'

function labelled(label: string): Error {
  const error = new MongoServerError({ message: label })
  error.addErrorLabel(label)
  return error
}

/** Sessions whose commits fail with these errors in turn. */
function sessions(failures: readonly Error[]) {
  const left = [...failures]
  const done: string[] = []
  const startSession = () => ({
    startTransaction: () => done.push('start'),
    async commitTransaction() {
      done.push('commit')
      const failure = left.shift()
      if (failure) throw failure
    },
    endSession: async () => void done.push('end'),
  })
  const connection = { client: { startSession } as never, engine: { name: 'MongoDB', check: async () => {} } }
  return { done, deps: { connection, clock: { sleep: async () => {} } } }
}

const TRANSIENT = 'TransientTransactionError'
const UNKNOWN = 'UnknownTransactionCommitResult'

t.test('a transaction that another was in the way of is made again, as a whole', async (t) => {
  const { done, deps } = sessions([labelled(TRANSIENT)])
  const works: (ClientSession | undefined)[] = []
  t.equal(await inTransaction(deps, async (session) => works.push(session) > 0), true)
  t.equal(works.length, 2)
  t.strictSame(done, ['start', 'commit', 'end', 'start', 'commit', 'end'])
})

t.test('a commit whose outcome is unknown is asked for again, and nothing is written twice', async (t) => {
  const { done, deps } = sessions([labelled(UNKNOWN), labelled(UNKNOWN)])
  let works = 0
  t.equal(await inTransaction(deps, async () => ++works > 0), true)
  t.equal(works, 1)
  t.strictSame(done, ['start', 'commit', 'commit', 'commit', 'end'])
})

t.test('work that says false is given up', async (t) => {
  const { done, deps } = sessions([])
  t.equal(await inTransaction(deps, async () => false), false)
  t.strictSame(done, ['start', 'end'])
})

t.test('a persistent failure counts as an outage; an error that no retry can fix is reported unchanged', async (t) => {
  for (const label of [TRANSIENT, UNKNOWN]) {
    const { deps } = sessions(Array.from({ length: 100 }, () => labelled(label)))
    await t.rejects(
      inTransaction(deps, async () => true),
      ServerUnavailable,
    )
  }
  const broken = new MongoServerError({ message: 'broken', code: 2 })
  await t.rejects(
    inTransaction(sessions([broken]).deps, async () => true),
    broken,
  )
  await t.rejects(
    inTransaction(sessions([]).deps, async () => {
      throw labelled(TRANSIENT)
    }),
    ServerUnavailable,
  )
})
