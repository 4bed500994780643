import t from 'tap'
import { listFolders } from '../../../src/app/libraries/folder-listing.ts'
import { createMemoryMedia } from '../../../src/adapters/memory/media.ts'
import { ANN_TOKEN } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const FILES = { '/media/films/Alien/Alien.mkv': {}, '/media/films/Brazil.mkv': {}, '/media/kids/Up/Up.mkv': {}, '/etc/secret/key': {} }
const media = createMemoryMedia(FILES)

t.test('without media roots folders are listed from the top, each with the one above it', async (t) => {
  const anywhere = { media, mediaRoots: [] }
  t.strictSame(await listFolders(anywhere, undefined), {
    path: '/',
    parent: null,
    folders: [
      { name: 'etc', path: '/etc' },
      { name: 'media', path: '/media' },
    ],
  })
  t.strictSame(await listFolders(anywhere, '/media/films/'), {
    path: '/media/films',
    parent: '/media',
    folders: [{ name: 'Alien', path: '/media/films/Alien' }],
  })
})

t.test('with media roots nothing outside of them is listed, and nothing above them is offered', async (t) => {
  const within = { media, mediaRoots: ['/media/films/', '/media/kids'] }
  t.strictSame(await listFolders(within, undefined), {
    path: null,
    parent: null,
    folders: [
      { name: '/media/films', path: '/media/films' },
      { name: '/media/kids', path: '/media/kids' },
    ],
  })
  t.match(await listFolders(within, '/media/films'), { parent: null, folders: [{ name: 'Alien' }] })
  t.match(await listFolders(within, '/media/films/Alien'), { parent: '/media/films', folders: [] })
  for (const path of ['/', '/media', '/etc', '/etc/secret', '/media/films2', '/media/films/../../etc', 'media/films'])
    t.match(await listFolders(within, path), { refusal: 'invalid', path: 'path' }, path)
})

t.test('a folder that is not there is not found, and one that cannot be read is unavailable', async (t) => {
  t.match(await listFolders({ media, mediaRoots: [] }, '/nowhere'), { refusal: 'not-found' })
  const locked = { ...media, subfolders: async () => ({ available: false, reason: 'unreadable' }) as const }
  t.match(await listFolders({ media: locked, mediaRoots: [] }, '/media'), { refusal: 'unavailable', retryAfterSeconds: 30 })
})

t.test('folders and removed libraries are for administrators; a path with dots is a validation error', async (t) => {
  const server = await startServer(t)
  const asAnn = { headers: { authorization: `Bearer ${ANN_TOKEN}` } }
  t.strictSame((await server.ask('GET', '/v1/admin/folders?path=/media')).json(), {
    path: '/media',
    parent: '/',
    folders: [{ name: 'films', path: '/media/films' }],
  })
  t.match((await server.ask('GET', '/v1/admin/libraries/removed')).json(), { items: [{ name: 'Films', paths: ['/media/films'] }] })
  t.equal((await server.ask('GET', '/v1/admin/folders?path=/media/../etc')).status, 422)
  t.equal((await server.ask('GET', '/v1/admin/folders?path=media')).status, 422)
  for (const path of ['/v1/admin/folders', '/v1/admin/libraries/removed']) {
    t.equal((await server.ask('GET', path, asAnn)).status, 403, path)
    t.equal((await server.anon('GET', path)).status, 401, path)
  }
})
