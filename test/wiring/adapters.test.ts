import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { ownDataFolder } from '../../src/process/data-folder.ts'
import { openOnline } from '../../src/wiring/adapters.ts'
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
