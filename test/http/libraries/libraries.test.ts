import t from 'tap'
import { presentLibrary } from '../../../src/http/libraries/library-presenter.ts'
import { presentScan } from '../../../src/http/scans/scan-presenter.ts'
import { refuse } from '../../../src/domain/refusal.ts'
import { admin, ann, ANN_TOKEN, idOf, library, scan } from '../../fixtures/samples.ts'
import { NOW } from '../../fixtures/folded.ts'
import { startServer } from '../http-server.ts'

const URL = `/v1/libraries/${library.id}`
const asAnn = { headers: { authorization: `Bearer ${ANN_TOKEN}` } }

t.test('a library has all its members; where it lies is for admins', async (t) => {
  const server = await startServer(t)
  const wire = {
    id: library.id,
    name: 'Films',
    kind: 'movies',
    paths: ['/media/films'],
    language: 'en',
    state: 'idle',
    available: true,
    roots: [{ path: '/media/films', available: true, reason: null }],
    movieCount: 1,
    missingCount: 0,
    lastScan: null,
    settings: { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true },
    createdAt: NOW,
    updatedAt: NOW,
  }
  t.strictSame((await server.ask('GET', URL)).json(), wire)
  t.strictSame((await server.ask('GET', URL, asAnn)).json(), { ...wire, paths: null, roots: null })
})

t.test('its state is that of its scan and its folders', (t) => {
  const away = { path: '/media/films', available: false, reason: 'missing', device: null, mountPoints: [] }
  t.match(presentLibrary({ ...library, roots: [away, { ...away, available: true }] }, admin), { state: 'offline', available: false })
  t.match(presentLibrary({ ...library, roots: [away], scanning: true }, admin), { state: 'scanning', available: false })
  const lastScan = { id: scan.id, state: 'completed', finishedAt: NOW } as const
  t.strictSame(presentLibrary({ ...library, lastScan }, ann).lastScan, lastScan)
  t.end()
})

t.test('only what is known of a new library reaches the service', async (t) => {
  const made: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      libraries: {
        ...services.libraries,
        create: async (caller, wanted, origin) => (made.push(wanted), services.libraries.create(caller, wanted, origin)),
      },
    }),
  })
  const body = { name: 'Films', paths: ['/a', '/b'], language: 'de', surprise: 1, settings: { trickplay: false, surprise: 2 } }
  const res = await server.ask('POST', '/v1/libraries', { body, headers: { 'user-agent': 'test' } })
  t.match(res, { status: 201, headers: { location: URL } })
  await server.ask('POST', '/v1/libraries', { body: { name: 'Films', path: '/a', settings: {} } })
  t.strictSame(made, [
    { name: 'Films', paths: ['/a', '/b'], language: 'de', settings: { trickplay: false } },
    { name: 'Films', paths: ['/a'], settings: {} },
  ])
})

t.test('what the service refuses of a new library is a validation error with its path', async (t) => {
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      libraries: { ...services.libraries, create: async () => refuse('invalid', 'Not here', { path: 'paths.0' }) },
    }),
  })
  const res = await server.ask('POST', '/v1/libraries', { body: { name: 'Films', paths: ['/elsewhere'] } })
  t.equal(res.status, 422)
  t.strictSame(res.json(), { error: 'Validation error', details: [{ path: 'paths.0', message: 'Not here' }] })
})

t.test('a scan is answered with 202 and its place, and is read there', async (t) => {
  const asked: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      scans: {
        ...services.scans,
        start: async (caller, id, request, origin) => (asked.push(request), services.scans.start(caller, id, request, origin)),
      },
    }),
  })
  const res = await server.ask('POST', `${URL}/scan`)
  t.match(res, { status: 202, headers: { location: `${URL}/scans/${scan.id}` } })
  t.strictSame((await server.ask('GET', res.headers['location'] ?? '')).json(), res.json())
  t.strictSame((await server.ask('GET', `${URL}/scan`)).json(), res.json())
  await server.ask('POST', `${URL}/scan`, { body: { mode: 'full', paths: ['/media/films/a'] } })
  t.strictSame(asked, [
    { mode: 'incremental', paths: null },
    { mode: 'full', paths: ['/media/films/a'] },
  ])
  t.match(await server.ask('POST', `${URL}/scan`, { body: { mode: 'deep' } }), { status: 422, text: /"path":"mode"/ })
  t.equal((await server.ask('GET', `${URL}/scans/${idOf('unknown')}`)).status, 404)
  t.equal((await server.ask('POST', `${URL}/scan`, { ...asAnn, body: {} })).status, 403)
})

t.test('a second scan is a conflict', async (t) => {
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      scans: { ...services.scans, start: async () => refuse('conflict', 'A scan is already running') },
    }),
  })
  t.match(await server.ask('POST', `${URL}/scan`, { body: {} }), { status: 409, text: '{"error":"A scan is already running"}' })
})

t.test('progress is a share and a guess of the time that is left', (t) => {
  const after = (seconds: number) => Date.parse(NOW) + seconds * 1000
  t.strictSame(presentScan(scan, admin, after(31.2)), {
    id: scan.id,
    libraryId: library.id,
    mode: 'incremental',
    trigger: 'manual',
    startedBy: admin.userId,
    state: 'probing',
    startedAt: NOW,
    finishedAt: null,
    progress: { done: 312, total: 812, percent: 38.4, current: 'Drama/A Film (2019).mkv', etaSeconds: 50 },
    counts: scan.counts,
    errors: [{ file: 'Drama/broken.mkv', message: 'Probe timed out' }],
    error: null,
  })
  t.match(presentScan({ ...scan, done: 0, total: 0 }, admin, after(1)).progress, { percent: 0, etaSeconds: null })
  t.match(presentScan({ ...scan, done: 0, total: 0, state: 'completed', finishedAt: NOW }, admin, after(1)).progress, {
    percent: 100,
    etaSeconds: null,
  })
  t.match(presentScan({ ...scan, state: 'failed', finishedAt: NOW }, admin, after(1)).progress, { percent: 38.4, etaSeconds: null })
  t.end()
})

t.test('who is no admin sees names of files, not where they lie', (t) => {
  const shown = presentScan({ ...scan, current: '/media/films/A.mkv' }, ann, Date.parse(NOW))
  t.equal(shown.progress.current, 'A.mkv')
  t.strictSame(shown.errors, [{ file: 'broken.mkv', message: 'Probe timed out' }])
  t.end()
})
