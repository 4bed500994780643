import t from 'tap'
import {
  createLibrary,
  DEFAULT_SETTINGS,
  faultOf,
  isWithin,
  library,
  normalizePath,
  rootsAway,
} from '../../../src/domain/libraries/library.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const libraryId = named<'library'>('films')
const data = { libraryId, name: 'Films', kind: 'movies', language: 'en', roots: ['/films', '/more'], settings: DEFAULT_SETTINGS } as const
const created = { type: 'LibraryCreated', data } as const
const away = (reason = 'missing') => [{ path: '/films', reason }]
const offline = (reason?: string) => ({ type: 'LibraryWentOffline', data: { libraryId, roots: away(reason) } }) as const
const online = { type: 'LibraryCameOnline', data: { libraryId } } as const

t.test('a library is created once', async (t) => {
  t.strictSame(given(library).when(createLibrary(data)), [created])
  t.strictSame(given(library, created).when(createLibrary(data)), [])
})

t.test('roots that are away are written down when that changes, and only then', async (t) => {
  t.strictSame(given(library, created).when(rootsAway([])), [])
  t.strictSame(given(library, created).when(rootsAway(away())), [offline()])
  t.strictSame(given(library, created, offline()).when(rootsAway(away())), [])
  t.strictSame(given(library, created, offline()).when(rootsAway(away('unreadable'))), [offline('unreadable')])
  t.strictSame(given(library, created, offline()).when(rootsAway([])), [online])
  t.strictSame(given(library, created, offline(), online).when(rootsAway([])), [])
  t.strictSame(given(library).when(rootsAway(away())), [], 'not for a library that does not exist')
})

t.test('a name has 1 to 200 characters', async (t) => {
  t.match(faultOf('', ['/films'], []), { refusal: 'invalid', path: 'name' })
  t.match(faultOf('x'.repeat(201), ['/films'], []), { path: 'name' })
  t.equal(faultOf('x'.repeat(200), ['/films'], []), undefined)
})

t.test('a library has 1 to 50 folders', async (t) => {
  const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/films/${n}`)
  t.match(faultOf('Films', [], []), { refusal: 'invalid', path: 'paths' })
  t.match(faultOf('Films', paths(51), []), { path: 'paths' })
  t.equal(faultOf('Films', paths(50), []), undefined)
})

t.test('a fault of a folder names which one it is', async (t) => {
  const wrong = ['films', './films', '', '/films/..', '/../films', '/films/../etc', '/fi\0lms', '/good', '//good/./']
  for (const path of wrong) t.match(faultOf('Films', ['/good', path], []), { refusal: 'invalid', path: 'paths.1' }, JSON.stringify(path))
  for (const path of ['/films', '/films/', '/Filme & Größe', '/a..b', '/', '/good/below']) {
    t.equal(faultOf('Films', ['/good', path], []), undefined, path)
  }
})

t.test('folders may lie only below the media roots, where there are any', async (t) => {
  const roots = ['/media', '/mnt/films/']
  for (const path of ['/media', '/media/a', '/mnt/films', '/mnt/films/b/c']) t.equal(faultOf('Films', [path], roots), undefined, path)
  for (const path of ['/mediathek', '/mnt', '/etc', '/mnt/films2']) t.match(faultOf('Films', [path], roots), { path: 'paths.0' }, path)
})

t.test('a path lies within a folder by whole names, whatever its slashes', async (t) => {
  t.ok(isWithin('/films/a.mkv', '/films'))
  t.ok(isWithin('/films//./a/', '/films/'))
  t.ok(isWithin('/films', '/films'))
  t.ok(isWithin('/anything', '/'))
  t.notOk(isWithin('/filmset/a.mkv', '/films'))
  t.notOk(isWithin('/', '/films'))
})

t.test('a path that climbs out of a folder, or has none to start from, is not within it', async (t) => {
  for (const path of ['/films/../etc', '/films/a/../../etc', '/films/..', 'films/a', 'films', '', '/films/a\0b']) {
    t.notOk(isWithin(path, '/films'), JSON.stringify(path))
  }
})

t.test('a normal path has no doubled, trailing or empty parts', async (t) => {
  t.equal(normalizePath('//films///a/./b/'), '/films/a/b')
  t.equal(normalizePath('/'), '/')
})
