import t, { type Test } from 'tap'
import { OnlineAway, OnlineRefused } from '../../../src/ports/online-metadata.ts'
import { TMDB_KEY, TMDB_TOKEN, type TmdbFault } from '../../fakes/tmdb.ts'
import { MOVIES } from '../../fakes/tmdb-catalogue.ts'
import { never, openTmdb, until, type Opened } from './open-tmdb.ts'

const sintel = ({ online, clock }: Opened, signal = never()) => clock.settled(online.movie({ tmdb: '45745' }, 'en', signal))

/** The thrown error, which is searched for the key. */
async function thrownBy(t: Test, asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  const all: unknown[] = []
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    all.push(one.message, one.stack, JSON.stringify(Object.entries(one)))
  const text = all.join('\n')
  t.notOk(
    [TMDB_KEY, TMDB_TOKEN, 'api_key', 'Bearer'].some((secret) => text.includes(secret)),
    'no key in the error',
  )
  return error
}

/** Sends a request, and aborts it while the server handles it; returns the signal. */
async function askAndLeave(t: Test, { online, server }: Opened): Promise<AbortSignal> {
  const stop = new AbortController()
  const asked = online.movie({ tmdb: '45745' }, 'en', stop.signal)
  await until(() => server.open() === 1)
  stop.abort(new Error('No more'))
  await t.rejects(asked, { message: 'No more' })
  await until(() => server.open() === 0)
  return stop.signal
}

t.test('a fault that passes is waited for', async (t) => {
  for (const fault of [{ type: 'status', status: 500 }, { type: 'status', status: 503 }, { type: 'cut' }] as const) {
    const opened = await openTmdb(t, { movies: MOVIES })
    opened.server.fault(fault, { times: 2 })
    t.match(await sintel(opened), { facts: { title: 'Sintel' } }, JSON.stringify(fault))
    t.equal(opened.server.calls.length, 3)
    t.strictSame(opened.clock.slept, [500, 2_000])
  }
})

t.test('a persistent fault is reported after three attempts, briefly', async (t) => {
  for (const [fault, message] of [
    [{ type: 'status', status: 500 }, /^127\.0\.0\.1:\d+ answered 500$/],
    [{ type: 'cut' }, /^127\.0\.0\.1:\d+ (?:broke off|cannot be reached \([A-Z_]+\))$/],
  ] as const) {
    const opened = await openTmdb(t)
    opened.server.fault(fault)
    t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', code: 'online-away', message })
    t.equal(opened.server.calls.length, 3)
  }
})

t.test('an answer that is nonsense is not asked for again', async (t) => {
  const faults: readonly (readonly [TmdbFault, RegExp])[] = [
    [{ type: 'not-json' }, /answered no JSON$/],
    [{ type: 'html' }, /answered something else than was asked for$/],
    [{ type: 'huge' }, /answered more than 5242880 bytes$/],
    [{ type: 'says', json: [] }, /answered in another shape than was expected$/],
    [{ type: 'says', json: null }, /answered no JSON$/],
    [{ type: 'says', json: { id: '45745', title: 'Sintel' } }, /answered in another shape than was expected$/],
    [{ type: 'status', status: 422 }, /answered 422$/],
  ]
  for (const [fault, message] of faults) {
    const opened = await openTmdb(t, { movies: MOVIES })
    opened.server.fault(fault, { times: 1 })
    t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', message }, JSON.stringify(fault))
    t.equal(opened.server.calls.length, 1)
    t.match(await sintel(opened), { facts: { title: 'Sintel' } }, 'and it was not kept')
  }
})

t.test('a redirect is not followed', async (t) => {
  const elsewhere = await openTmdb(t, { movies: MOVIES })
  for (const to of [`${elsewhere.server.url}/movie/45745`, '/3/movie/10378', 'http://169.254.169.254/latest/meta-data/']) {
    const opened = await openTmdb(t, { movies: MOVIES })
    opened.server.fault({ type: 'redirect', to })
    t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', message: /answered 302, which is not followed$/ })
    t.equal(opened.server.calls.length, 1)
  }
  t.equal(elsewhere.server.calls.length, 0)
})

t.test('a page that is not there and does not come from the provider says nothing of a film', async (t) => {
  const opened = await openTmdb(t, { movies: MOVIES, more: {} })
  const online = await opened.reopen({ url: opened.server.url.replace(/\/3$/, '/t/p') })
  t.match(await thrownBy(t, online.movie({ tmdb: '45745' }, 'en', never())), { name: 'OnlineAway', message: /answered 404$/ })
})

t.test('a server that does not answer is given up after ten seconds, each time', async (t) => {
  for (const type of ['hang', 'slow'] as const) {
    const opened = await openTmdb(t)
    const { clock, server } = opened
    server.fault({ type })
    const asked = thrownBy(t, opened.online.movie({ tmdb: '45745' }, 'en', never()))
    for (let tries = 1; tries <= 3; tries++) {
      await until(() => server.calls.length === tries)
      await clock.advance(9_999)
      t.equal(server.open(), 1)
      await clock.advance(1)
      await until(() => server.open() === 0 && (tries === 3 || clock.slept.length === tries))
      await clock.advance(clock.slept[tries - 1] ?? 0)
    }
    t.match(await asked, { name: 'OnlineAway', message: /gave no answer within 10 s$/ })
  }
})

t.test('an absent server is reported by the error code of the system', async (t) => {
  const opened = await openTmdb(t)
  await opened.server.close()
  t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', message: /cannot be reached \(ECONNREFUSED\)$/ })
})

t.test('a key that is not taken is refused, and not tried again', async (t) => {
  for (const fault of [
    { type: 'wrong-key' },
    { type: 'status', status: 403 },
    { type: 'says', json: { success: false, status_code: 7, status_message: 'Invalid API key.' } },
  ] as const) {
    const opened = await openTmdb(t)
    opened.server.fault(fault)
    const error = await thrownBy(t, sintel(opened))
    t.type(error, OnlineRefused)
    t.match(error, { code: 'online-refused', message: /does not take the key in MARQUEE_TMDB_KEY$/ })
    t.equal(opened.server.calls.length, 1)
  }
  const opened = await openTmdb(t)
  for (const key of ['wrong', 'eyJ.wrong']) {
    const online = await opened.reopen({ key })
    t.type(await thrownBy(t, online.movie({ tmdb: '45745' }, 'en', never())), OnlineRefused)
  }
})

t.test('a firewall that forbids the provider for a while does not end the asking until the next start', async (t) => {
  const opened = await openTmdb(t, { movies: MOVIES })
  opened.server.fault({ type: 'html', status: 403 }, { times: 1 })
  t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', message: /answered 403$/ })
  t.match(await sintel(opened), { facts: { title: 'Sintel' } })
})

t.test('a key that no request can contain breaks nothing, and is not logged', async (t) => {
  const { reopen, clock } = await openTmdb(t)
  const online = await reopen({ key: `eyJ${TMDB_KEY}€` })
  t.type(await thrownBy(t, clock.settled(online.movie({ tmdb: '45745' }, 'en', never()))), OnlineAway)
})

t.test('a busy server is waited for as it asks, by all', async (t) => {
  const opened = await openTmdb(t, { movies: MOVIES })
  const { online, server, clock } = opened
  server.fault({ type: 'too-many', retryAfter: '7' }, { times: 1 })
  t.match(await sintel(opened), { facts: { title: 'Sintel' } })
  t.strictSame(clock.slept, [7_000])
  server.fault({ type: 'too-many', retryAfter: new Date(clock.now() + 5_000).toUTCString() }, { times: 1 })
  await clock.settled(online.movie({ tmdb: '10378' }, 'en', never()))
  t.ok(Number(clock.slept[1]) > 3_000 && Number(clock.slept[1]) <= 5_000, 'a date has whole seconds')
  server.fault({ type: 'too-many' }, { times: 1 })
  await clock.settled(online.movie({ tmdb: '3085' }, 'en', never()))
  t.equal(clock.slept[2], 2_000)
})

t.test('a busy server that asks for longer is left alone by all', async (t) => {
  const opened = await openTmdb(t, { movies: MOVIES })
  const { online, server, clock } = opened
  server.fault({ type: 'too-many', retryAfter: '60' }, { times: 1 })
  t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', retryAfterMs: 60_000 })
  await clock.advance(20_000)
  t.match(await thrownBy(t, online.search({ title: 'Sintel', year: null }, 'en', never())), { name: 'OnlineAway', retryAfterMs: 40_000 })
  t.equal(server.calls.length, 1)
  await clock.advance(30_000)
  t.match(await sintel(opened), { facts: { title: 'Sintel' } })
})

t.test('what a server may ask for is bounded', async (t) => {
  const opened = await openTmdb(t)
  opened.server.fault({ type: 'too-many', retryAfter: '999999999' })
  t.match(await thrownBy(t, sintel(opened)), { retryAfterMs: 3_600_000 })
})

t.test('a server that stays busy is not asked forever', async (t) => {
  const opened = await openTmdb(t)
  opened.server.fault({ type: 'too-many', retryAfter: '0' })
  t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', message: /has had enough calls$/ })
  t.equal(opened.server.calls.length, 3)
})

t.test('a dead server costs nothing for a while, and is found again after it', async (t) => {
  const opened = await openTmdb(t, { movies: MOVIES })
  const { online, server, clock } = opened
  server.fault({ type: 'status', status: 502 })
  await thrownBy(t, sintel(opened))
  await thrownBy(t, sintel(opened))
  t.equal(server.calls.length, 6)
  server.fault()
  t.match(await thrownBy(t, online.movie({ tmdb: '45745' }, 'en', never())), { name: 'OnlineAway', retryAfterMs: 30_000 })
  t.equal(server.calls.length, 6)
  await clock.advance(30_000)
  t.match(await sintel(opened), { facts: { title: 'Sintel' } })
  server.fault({ type: 'status', status: 502 }, { times: 2 })
  t.match(
    await clock.settled(online.movie({ tmdb: '3085' }, 'en', never())),
    { facts: { title: 'His Girl Friday' } },
    'faults are counted again',
  )
})

t.test('a dead server that is still dead is left alone after one more call', async (t) => {
  const opened = await openTmdb(t)
  const { server, clock } = opened
  server.fault({ type: 'status', status: 502 })
  await thrownBy(t, sintel(opened))
  await thrownBy(t, sintel(opened))
  await clock.advance(30_000)
  t.match(await thrownBy(t, sintel(opened)), { name: 'OnlineAway', message: /did not answer lately$/ })
  t.equal(server.calls.length, 7)
})

t.test('who does not wait any longer gets the reason, and the call ends', async (t) => {
  const opened = await openTmdb(t)
  opened.server.fault({ type: 'hang' })
  const aborted = await askAndLeave(t, opened)
  await t.rejects(opened.online.movie({ tmdb: '45745' }, 'en', aborted), { message: 'No more' })
  t.equal(opened.server.calls.length, 1)
})

t.test('that callers leave is no fault of the server', async (t) => {
  const opened = await openTmdb(t, { movies: MOVIES })
  opened.server.fault({ type: 'hang' }, { times: 8 })
  for (let left = 1; left <= 8; left++) await askAndLeave(t, opened)
  t.match(await opened.online.movie({ tmdb: '45745' }, 'en', never()), { facts: { title: 'Sintel' } })
})
