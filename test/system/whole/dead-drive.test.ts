/** A network drive dies under a whole server: what lies on other drives is played and scanned as before. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { mountDeadDrive } from '../../fixtures/dead-drive.ts'
import { makeClip } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { testFolder } from '../../fixtures/test-folder.ts'
import { signIn, startServer, type Api } from './server-process.ts'

/** More than a process has threads for files by default. */
const PLAYERS = 6
const LOOK_EVERY_MS = 100

t.setTimeout(300_000)

async function newLibrary(api: Api, path: string): Promise<string> {
  const { json } = await api.send('POST', '/v1/libraries', { name: path.slice(-4), paths: [path] })
  return json['id'] ?? ''
}

async function scan(api: Api, library: string): Promise<string> {
  await api.send('POST', `/v1/libraries/${library}/scan`, {})
  for (;;) {
    const { state } = (await api.send('GET', `/v1/libraries/${library}/scan`)).json as { readonly state?: string }
    if (state === 'completed' || state === 'failed') return state
    await sleep(LOOK_EVERY_MS)
  }
}

async function movieIds(api: Api): Promise<ReadonlyMap<string, string>> {
  const list = (await api.send('GET', '/v1/movies')).json as unknown as { readonly items: readonly { id: string; title: string }[] }
  return new Map(list.items.map(({ id, title }) => [title, id]))
}

t.test('a drive that does not answer stops neither playback nor scans of other drives', async (t) => {
  const folder = testFolder(t)
  const [local, network] = [join(folder, 'local'), join(folder, 'network')]
  mkdirSync(join(folder, 'data'))
  await makeClip({ path: join(local, 'Alien (1979).mkv') })
  await makeClip({ path: join(network, 'Brazil (1985).mkv') })
  const server = await startServer({ dataDir: join(folder, 'data') })
  t.teardown(() => server.end('SIGKILL'))
  const api = await signIn(server.url)
  const [localId, networkId] = [await newLibrary(api, local), await newLibrary(api, network)]
  t.strictSame([await scan(api, localId), await scan(api, networkId)], ['completed', 'completed'])
  const movies = await movieIds(api)
  const play = (title: string) => api.send('POST', '/v1/playback/sessions', { movieId: movies.get(title) })

  const unmount = mountDeadDrive(network)
  if (!unmount) return tellMissing(t, 'fuse')
  t.teardown(unmount)
  // The table of mounts is read once a second.
  await sleep(1_500)
  const dead = Array.from({ length: PLAYERS }, () => play('Brazil'))
  // They wait for the drive.
  await sleep(1_000)
  t.equal((await play('Alien')).status, 201)
  t.equal(await scan(api, localId), 'completed')
  for (const { status } of await Promise.all(dead)) t.equal(status, 503)
  t.equal(await scan(api, networkId), 'failed')
  t.equal((await play('Alien')).status, 201)
  t.match((await api.send('GET', `/v1/libraries/${localId}`)).json, { state: 'idle' })
  t.match((await api.send('GET', `/v1/libraries/${networkId}`)).json, { state: 'offline' })
})
