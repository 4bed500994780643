import t from 'tap'
import { libraries, type LibraryDocument } from '../../../projections/views/libraries.ts'
import { NO_COUNTS, scans, type ScanDocument } from '../../../projections/views/scans.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'

const [libraryId, scanId] = [named<'library'>('films'), named<'scan'>('first')]
const settings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true }
const created: Happened = {
  type: 'LibraryCreated',
  data: { libraryId, name: 'Größere Filme', kind: 'movies', language: 'de', roots: ['/a', '/b'], settings },
}
const offline = (path: string): Happened => ({ type: 'LibraryWentOffline', data: { libraryId, roots: [{ path, reason: 'missing' }] } })
const online: Happened = { type: 'LibraryCameOnline', data: { libraryId } }
const key = { scanId, libraryId }
const requested: Happened = { type: 'ScanRequested', data: { ...key, mode: 'incremental', trigger: 'start', startedBy: null, paths: null } }
const started: Happened = { type: 'ScanStarted', data: { ...key, node: 'one' } }
const counts = { ...NO_COUNTS, seen: 812, added: 4, errors: 1 }
const errors = [{ file: 'broken.mkv', message: 'It is no film' }]
const progressed: Happened = {
  type: 'ScanProgressed',
  data: { ...key, phase: 'probing', done: 312, total: 812, current: 'A Film (2019).mkv', counts: { ...counts, errors: 0 } },
}
const completed: Happened = { type: 'ScanCompleted', data: { ...key, counts, errors } }
const failed: Happened = { type: 'ScanFailed', data: { ...key, counts, errors, reason: 'root_unavailable' } }
const interrupted: Happened = { type: 'ScanInterrupted', data: key }

const libraryAfter = (...events: readonly Happened[]): LibraryDocument | undefined => fold(libraries, created, ...events).get(libraryId)
const scanAfter = (...events: readonly Happened[]): ScanDocument | undefined => fold(scans, ...events).get(scanId)

t.test('a new library is idle, has its roots and sorts by its folded name', async (t) => {
  t.match(libraryAfter(), {
    id: libraryId,
    name: 'Größere Filme',
    nameKey: 'grossere filme',
    kind: 'movies',
    language: 'de',
    settings,
    roots: ['/a', '/b'].map((path) => ({ path, available: true, reason: null, device: null, mountPoints: [] })),
    scanning: false,
    lastScan: null,
    createdAt: iso(NOON),
    updatedAt: iso(NOON),
  })
})

t.test('absent roots are marked with the reason, all others are there', async (t) => {
  t.strictSame(libraryAfter(offline('/b'))?.roots, [
    { path: '/a', available: true, reason: null, device: null, mountPoints: [] },
    { path: '/b', available: false, reason: 'missing', device: null, mountPoints: [] },
  ])
  t.strictSame(
    libraryAfter(offline('/b'), offline('/a'))?.roots.map(({ available }) => available),
    [false, true],
  )
  t.strictSame(
    libraryAfter(offline('/b'), online)?.roots.map(({ available, reason }) => available && reason === null),
    [true, true],
  )
})

t.test(
  'a completed scan notes devices and mount points of the roots it covers, and a root that is added below takes over its own',
  async (t) => {
    const mountPoints = [
      { path: '/a/usb', device: 2 },
      { path: '/a/video/nas', device: 3 },
    ]
    const scanned: Happened = { type: 'ScanCompleted', data: { ...key, counts, errors, devices: [{ path: '/a', device: 1, mountPoints }] } }
    const again: Happened = { type: 'ScanCompleted', data: { ...key, counts, errors, devices: [{ path: '/b', device: 4 }] } }
    const noted = [
      { path: '/a', device: 1, mountPoints },
      { path: '/b', device: 4, mountPoints: [] },
    ]
    t.match(libraryAfter(scanned, again)?.roots, noted)
    t.match(libraryAfter(scanned, again, completed)?.roots, noted, 'older logs say nothing of devices')
    const added = ['/a/usb', '/a/video', '/a/vid'].map((path): Happened => ({ type: 'LibraryRootAdded', data: { libraryId, path } }))
    t.match(libraryAfter(scanned, ...added)?.roots.slice(2), [
      { path: '/a/usb', device: 2, mountPoints: [] },
      { path: '/a/video', device: null, mountPoints: [{ path: '/a/video/nas', device: 3 }] },
      { path: '/a/vid', device: null, mountPoints: [] },
    ])
    const emptied: Happened = { type: 'ScanCompleted', data: { ...key, counts, errors, devices: [{ path: '/a', device: 1 }] } }
    t.match(libraryAfter(scanned, emptied)?.roots[0], { device: 1, mountPoints: [] })
  },
)

t.test('a library is scanning from the request of a scan to its end, and remembers how it ended', async (t) => {
  t.equal(libraryAfter(requested)?.scanning, true)
  t.equal(libraryAfter(requested, started, progressed)?.scanning, true)
  for (const [end, state] of [
    [completed, 'completed'],
    [failed, 'failed'],
    [interrupted, 'interrupted'],
  ] as const) {
    t.match(libraryAfter(requested, started, end), {
      scanning: false,
      lastScan: { id: scanId, state, finishedAt: iso(NOON + 3000) },
      updatedAt: iso(NOON),
    })
  }
})

t.test('a scan goes from queued through its phases to its end', async (t) => {
  t.match(scanAfter(requested), {
    id: scanId,
    libraryId,
    mode: 'incremental',
    trigger: 'start',
    startedBy: null,
    state: 'queued',
    startedAt: iso(NOON),
    finishedAt: null,
    done: 0,
    total: 0,
    current: null,
    counts: NO_COUNTS,
    errors: [],
    error: null,
  })
  t.match(scanAfter(requested, started), { state: 'walking' })
  t.match(scanAfter(requested, started, progressed), { state: 'probing', done: 312, total: 812, current: 'A Film (2019).mkv' })
  t.match(scanAfter(requested, started, progressed, completed), {
    state: 'completed',
    finishedAt: iso(NOON + 3000),
    done: 812,
    total: 812,
    current: null,
    counts,
    errors,
    error: null,
  })
})

t.test('a failed or interrupted scan is recorded as such and keeps its progress', async (t) => {
  t.match(scanAfter(requested, started, progressed, failed), { state: 'failed', error: 'root_unavailable', done: 312, counts, errors })
  t.match(scanAfter(requested, started, progressed, interrupted), { state: 'interrupted', error: null, done: 312, current: null })
})
