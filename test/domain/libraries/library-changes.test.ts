import t from 'tap'
import {
  changeLibrary,
  DEFAULT_SETTINGS,
  library,
  noteMassMissing,
  removeLibrary,
  restoreLibrary,
  rootsAway,
} from '../../../src/domain/libraries/library.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const libraryId = named<'library'>('films')
const data = { libraryId, name: 'Films', kind: 'movies', language: 'en', roots: ['/films', '/more'], settings: DEFAULT_SETTINGS } as const
const created = { type: 'LibraryCreated', data } as const
const removed = { type: 'LibraryRemoved', data: { libraryId } } as const
const restored = { type: 'LibraryRestored', data: { libraryId } } as const

t.test('a change that changes nothing is no event', async (t) => {
  const { when } = given(library, created)
  t.strictSame(when(changeLibrary({})), [])
  t.strictSame(when(changeLibrary({ name: 'Films', roots: ['/more', '/films'], language: 'en', settings: { watchFiles: true } })), [])
})

t.test('each thing that is different is an event of its own, settings are merged', async (t) => {
  const change = { name: 'Cinema', roots: ['/films', '/third'], settings: { scanIntervalMinutes: 60 } }
  t.strictSame(given(library, created).when(changeLibrary(change)), [
    { type: 'LibraryRenamed', data: { libraryId, name: 'Cinema' } },
    { type: 'LibraryRootAdded', data: { libraryId, path: '/third' } },
    { type: 'LibraryRootRemoved', data: { libraryId, path: '/more' } },
    {
      type: 'LibrarySettingsChanged',
      data: { libraryId, language: 'en', settings: { ...DEFAULT_SETTINGS, scanIntervalMinutes: 60 } },
    },
  ])
  const german = { type: 'LibrarySettingsChanged', data: { libraryId, language: 'de', settings: DEFAULT_SETTINGS } } as const
  t.strictSame(given(library, created).when(changeLibrary({ language: 'de' })), [german])
  t.strictSame(given(library, created, german).when(changeLibrary({ language: 'de' })), [])
})

t.test('a root that is taken away is no longer away', async (t) => {
  const offline = { type: 'LibraryWentOffline', data: { libraryId, roots: [{ path: '/more', reason: 'missing' }] } } as const
  const gone = { type: 'LibraryRootRemoved', data: { libraryId, path: '/more' } } as const
  t.strictSame(given(library, created, offline, gone).when(rootsAway([])), [])
})

t.test('a removed library cannot be changed or removed again, but restored, once', async (t) => {
  t.strictSame(given(library, created).when(removeLibrary), [removed])
  const gone = given(library, created, removed)
  t.match(gone.when(removeLibrary), { refusal: 'not-found' })
  t.match(gone.when(changeLibrary({ name: 'x' })), { refusal: 'not-found' })
  t.strictSame(gone.when(restoreLibrary), [restored])
  t.strictSame(given(library, created, removed, restored).when(restoreLibrary), [])
  t.match(given(library).when(restoreLibrary), { refusal: 'not-found' })
})

t.test('only when more than ten files of a root are gone at once there is something to say', async (t) => {
  const scanId = named<'scan'>('first')
  t.strictSame(given(library, created).when(noteMassMissing(scanId, '/films', 10)), [])
  t.strictSame(given(library, created).when(noteMassMissing(scanId, '/films', 11)), [
    { type: 'LibraryMassMissing', data: { libraryId, scanId, root: '/films', files: 11 } },
  ])
})
