import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { ownDataFolder } from '../../src/process/data-folder.ts'
import { START, toPosition } from '../../src/events/position.ts'
import { openMessaging, openOnline, openReadStore } from '../../src/wiring/adapters.ts'
import { MOVIES } from '../fixtures/sample-documents.ts'
import { startTmdb, TMDB_KEY } from '../fakes/tmdb.ts'

t.test('without a key nobody is asked about films', async (t) => {
  const folder = ownDataFolder({ dataDir: t.testdir(), blobs: undefined })
  if ('problem' in folder) throw new Error(folder.problem)
  const { online, close } = await openOnline({ config: {}, clock: createTestClock(), folder, onError: (cause) => t.error(cause) })
  t.equal(online, undefined)
  await close()
  folder.release()
})

t.test('with a key the configured server is asked, and what it says is kept beside the other blobs', async (t) => {
  const server = await startTmdb(t, { images: { '/a.png': Buffer.from('an image') } })
  const folder = ownDataFolder({ dataDir: t.testdir(), blobs: undefined })
  if ('problem' in folder) throw new Error(folder.problem)
  const config = { tmdbKey: TMDB_KEY, tmdbUrl: server.url }
  const clock = createTestClock({ startMs: Date.now() })
  const { online, close } = await openOnline({ config, clock, folder, onError: (cause) => t.error(cause) })
  const { signal } = new AbortController()
  t.match(await online?.search({ title: 'Sintel', year: 2010 }, 'en', signal), [{ tmdb: '45745' }])
  t.equal(Buffer.from((await online?.image('/a.png', signal)) ?? []).toString(), 'an image')
  await close()
  for (const kept of ['answers', 'pictures']) t.ok(existsSync(join(folder.blobs, 'online', kept)), kept)
  folder.release()
})

const HERE = { eventLog: 'sqlite:', readStore: 'sqlite:', vault: 'sqlite:', bus: 'local:' } as const
const HOUR_MS = 3_600_000

t.test('leases of a process whose clock has gone back are newer than what an earlier one left', async (t) => {
  const folder = ownDataFolder({ dataDir: t.testdir(), blobs: undefined })
  if ('problem' in folder) throw new Error(folder.problem)
  const commitAt = async (startMs: number, from: number): Promise<string> => {
    const options = { config: HERE, clock: createTestClock({ startMs }), folder, name: 'test', onError: (cause: unknown) => t.error(cause) }
    const { store, close } = await openReadStore(options)
    const { leases, close: closeLeases } = await openMessaging({ ...options, store })
    await store.open([MOVIES])
    const lease = await leases.acquire('projector', 15)
    const span = { from: from === 0 ? START : toPosition(from), to: toPosition(from + 1) }
    const outcome = await store.commit({ collection: MOVIES.name, epoch: lease?.token ?? 0, ...span, puts: [], removes: [] })
    await closeLeases()
    await close()
    return outcome
  }
  t.equal(await commitAt(2 * HOUR_MS, 0), 'applied')
  t.equal(await commitAt(HOUR_MS, 1), 'applied', 'an hour back')
  t.equal(await commitAt(2 * HOUR_MS, 2), 'applied', 'at the same time again')
  folder.release()
})
