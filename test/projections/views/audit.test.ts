import t from 'tap'
import { audit, auditTileId, TILE_WIDTH, type AuditDocument, type AuditTile } from '../../../projections/views/audit.ts'
import type { AuditRow } from '../../../projections/views/audit-row.ts'
import { encode } from '../../../src/events/codec.ts'
import type { DomainEvent } from '../../../src/events/catalogue.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { leafHash, rootOf } from '../../../src/events/merkle-tree.ts'
import { logEntry } from '../../../src/events/log-entry.ts'
import { toPosition } from '../../../src/events/position.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import { iso, NOON } from '../../fixtures/given.ts'
import { appendTo } from '../../fixtures/ledger.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom } from '../../fixtures/random.ts'
import { randomEvents } from '../projector/random-events.ts'
import { rootByDefinition } from '../../events/merkle-root.ts'

const [ann, films] = [named<'user'>('ann'), named<'library'>('films')]

interface Written {
  readonly stream: string
  readonly event: DomainEvent
  readonly origin?: Readonly<Record<string, string>>
}

/** As the log returns them; positions have gaps. */
function stored(written: readonly Written[]): readonly StoredEvent[] {
  const ends = new Map<string, { readonly revision: number; readonly hash: string }>()
  return written.map(({ stream, event, origin = {} }, n) => {
    const { revision, hash } = ends.get(stream) ?? { revision: -1, hash: '' }
    const place = { stream, revision: revision + 1, prev: hash }
    const encoded = encode(`event-${n}`, event, { at: iso(NOON + n * 1000), actor: 'system', ...origin }, place)
    ends.set(stream, { revision: place.revision, hash: encoded.metadata.hash })
    return { ...encoded, stream, revision: place.revision, position: toPosition(n * 7 + 3) }
  })
}

async function rowsOf(events: readonly StoredEvent[]): Promise<readonly AuditRow[]> {
  const documents = new Map<string, AuditDocument>()
  await appendTo(documents, audit, { events })
  return [...documents.values()].filter((document): document is AuditRow => 'seq' in document)
}

const household = (seed: number, count: number) => {
  const random = createRandom(seed)
  return stored(
    randomEvents(random, count).map((event) => ({ stream: `movie-${named(`movie${random.below(9)}`)}`, event: event as DomainEvent })),
  )
}

t.test('a row says who did what to what, and what it was before', async (t) => {
  const origin = { actor: `user:${ann}`, request: 'req-1', address: `sealed:${ann}:abc`, client: `sealed:${ann}:def` }
  const settings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true }
  const created = { libraryId: films, name: 'Films', kind: 'movies', language: 'en', roots: ['/a'], settings } as const
  const stream = `library-${films}`
  const rows = await rowsOf(
    stored([
      { stream, event: { type: 'LibraryCreated', data: created }, origin },
      { stream, event: { type: 'LibraryRenamed', data: { libraryId: films, name: 'Movies' } }, origin },
      { stream, event: { type: 'LibraryRootAdded', data: { libraryId: films, path: '/b' } }, origin },
      {
        stream,
        event: { type: 'LibrarySettingsChanged', data: { libraryId: films, language: 'en', settings: { ...settings, trickplay: false } } },
        origin,
      },
    ]),
  )
  t.strictSame(
    rows.map(({ seq }) => seq),
    [1, 2, 3, 4],
  )
  t.match(rows[1], {
    type: 'LibraryRenamed',
    actor: `user:${ann}`,
    actorId: ann,
    targetKind: 'library',
    targetId: films,
    requestId: 'req-1',
  })
  t.strictSame(rows[1]?.changes, [{ path: 'name', from: 'Films', to: 'Movies' }])
  t.strictSame(rows[2]?.changes, [{ path: 'paths', from: ['/a'], to: ['/a', '/b'] }])
  t.strictSame(rows[3]?.changes, [{ path: 'settings.trickplay', from: true, to: false }])
})

t.test('what happens again says again what it is, and hides no earlier value', async (t) => {
  const stream = `playback-${named('session')}`
  const ids = { sessionId: named<'session'>('session'), userId: ann, movieId: named<'movie'>('movie') }
  const beat = (positionMs: number) =>
    ({ type: 'PlaybackHeartbeat', data: { ...ids, fileId: named<'file'>('file'), positionMs, playState: 'playing', rate: 1 } }) as never
  const pause = { type: 'PlaybackCommandIssued', data: { ...ids, commandId: 'c', command: 'pause', message: null } } as never
  const look = { type: 'HistoryViewed', data: { userId: ann, operation: 'GET /v1/history', times: 1 } } as never
  const more = { type: 'HistoryViewed', data: { userId: ann, operation: 'GET /v1/history', times: 7 } } as never
  const rows = await rowsOf(
    stored([
      ...[beat(1000), pause, pause, beat(2000)].map((event) => ({ stream, event })),
      ...[look, look, more].map((event) => ({ stream: 'access-1', event })),
    ]),
  )
  const paused = [{ path: 'command', from: null, to: 'pause' }]
  const looked = (times: number) => [
    { path: 'operation', from: null, to: 'GET /v1/history' },
    { path: 'times', from: null, to: times },
  ]
  t.strictSame(
    rows.slice(1).map(({ changes }) => changes),
    [paused, paused, [{ path: 'position', from: 1, to: 2 }], looked(1), looked(1), looked(7)],
  )
})

t.test('the value before of a mark or a resume point is the one that people saw', async (t) => {
  const ids = { userId: ann, movieId: named<'movie'>('movie') }
  const resume = { type: 'ResumePointSet', data: { ...ids, fileId: named<'file'>('file'), positionMs: 5000, durationMs: 9000 } } as never
  const dismiss = { type: 'ResumePointDismissed', data: ids } as never
  const watch = (hour: number) => ({ type: 'MovieMarkedWatched', data: { ...ids, watchedAt: iso(NOON + hour) } }) as never
  const complete = { type: 'MovieCompleted', data: { ...ids, completedAt: iso(NOON + 3) } } as never
  const rows = await rowsOf(
    stored(
      [resume, watch(1), resume, dismiss, resume, watch(2), complete].map((event) => ({
        stream: `watched-${ann}_${ids.movieId}`,
        event,
      })),
    ),
  )
  const at = (from: number | null, to: number | null) => ({ path: 'resumePosition', from, to })
  t.strictSame(
    rows.map(({ changes }) => changes),
    [
      [at(null, 5)],
      [{ path: 'watched', from: null, to: true }, { path: 'watchedAt', from: null, to: iso(NOON + 1) }, at(5, null)],
      [at(null, 5)],
      [{ path: 'dismissed', from: null, to: true }],
      [{ path: 'dismissed', from: true, to: false }],
      [at(5, null)],
      [{ path: 'playCount', from: null, to: 1 }],
    ],
  )
})

t.test('passwords, tokens and hashes are in no row', async (t) => {
  const [loginId, secret] = [named<'login'>('login'), 'canary-that-nobody-may-see']
  const rows = await rowsOf(
    stored([
      {
        stream: `login-${loginId}`,
        event: { type: 'SignedIn', data: { loginId, userId: ann, tokenHash: secret, expiresAt: iso(NOON), rememberMe: true } },
      },
      { stream: 'login-other', event: { type: 'SignInRefused', data: { loginId, userId: null, emailHmac: secret, reason: 'unknown' } } },
      { stream: 'installation-1', event: { type: 'VaultAdopted', data: { digest: secret } } },
      { stream: 'installation-1', event: { type: 'SigningSecretAdopted', data: { digest: secret } } },
    ]),
  )
  t.equal(rows.length, 4)
  t.notMatch(JSON.stringify(rows), new RegExp(secret))
})

t.test('a refused sign-in names the account that it was for, if there is one, and a revoked login its own', async (t) => {
  const loginId = named<'login'>('login')
  const refused = { loginId, emailHmac: 'x', times: 1 } as const
  const rows = await rowsOf(
    stored([
      { stream: 'login-one', event: { type: 'SignInRefused', data: { ...refused, userId: ann, reason: 'password' } } },
      { stream: 'login-two', event: { type: 'SignInRefused', data: { ...refused, userId: null, reason: 'unknown' } } },
      { stream: `login-${loginId}`, event: { type: 'LoginRevoked', data: { loginId, userId: ann } } },
    ]),
  )
  t.match(rows, [
    { targetKind: 'user', targetId: ann, subjectId: ann },
    { targetKind: 'login', targetId: 'two', subjectId: null },
    { targetKind: 'login', targetId: loginId, changes: [{ path: 'state' }, { path: 'userId', from: null, to: ann }] },
  ])
})

t.test('what is sealed stays sealed', async (t) => {
  const name = `sealed:${ann}:xyz` as Sealed
  const [row] = await rowsOf(stored([{ stream: `user-${ann}`, event: { type: 'UserProfileChanged', data: { userId: ann, name } } }]))
  t.strictSame(row?.changes, [{ path: 'name', from: null, to: name }])
})

t.test('an event of a type that this version does not know has its row and its leaf', async (t) => {
  const [known] = stored([{ stream: `library-${films}`, event: { type: 'LibraryRemoved', data: { libraryId: films } } }])
  if (!known) throw new TypeError('no event')
  const [row] = await rowsOf([{ ...known, type: 'LibraryPainted' }])
  t.match(row, { seq: 1, type: 'LibraryPainted', targetKind: 'library', targetId: films, changes: [] })
})

t.test('an event whose data is not what its type says has its row and its leaf', async (t) => {
  const [known] = stored([{ stream: `library-${films}`, event: { type: 'LibraryRemoved', data: { libraryId: films } } }])
  if (!known) throw new TypeError('no event')
  const rows = await rowsOf([
    { ...known, type: 'LibraryCreated', data: { settings: null } },
    { ...known, revision: 1, type: 'LibraryRenamed', data: {} },
  ])
  t.match(rows, [{ seq: 1, changes: [] }, { seq: 2 }])
})

t.test('the tree is that of RFC 6962 over the stored events', async (t) => {
  const events = household(5, 2 * TILE_WIDTH + 30)
  const documents = new Map<string, AuditDocument>()
  await appendTo(documents, audit, { events })
  const leaves = events.map((event) => leafHash(logEntry(event)))
  const [edge] = [...documents]
    .filter(([id]) => id.startsWith('edge:'))
    .map(([, document]) => document as { readonly frontier: readonly string[]; readonly size: number })
  t.equal(edge?.size, events.length)
  t.strictSame(Buffer.from(rootOf((edge?.frontier ?? []).map((hash) => Buffer.from(hash, 'base64')))), rootByDefinition(leaves))
  const tile = documents.get(auditTileId(0, 1)) as AuditTile
  t.equal(tile.hashes, Buffer.concat(leaves.slice(TILE_WIDTH, 2 * TILE_WIDTH)).toString('base64'))
  t.equal(tile.root, rootByDefinition(leaves.slice(TILE_WIDTH, 2 * TILE_WIDTH)).toString('base64'))
  t.notOk(documents.has(auditTileId(0, 2)), 'only full tiles are stored')
})

t.test('batches of any length give the same rows and tiles', async (t) => {
  const random = createRandom(11)
  const events = household(7, 2 * TILE_WIDTH + 50)
  const isLasting = ([id]: readonly [string, unknown]) => !id.startsWith('edge:')
  const whole = new Map<string, AuditDocument>()
  await appendTo(whole, audit, { events })
  const parts = new Map<string, AuditDocument>()
  await appendTo(parts, audit, { events, batches: Array.from({ length: 40 }, () => 1 + random.below(20)) })
  t.strictSame(new Map([...parts].filter(isLasting)), new Map([...whole].filter(isLasting)))
  t.ok([...parts.keys()].filter((id) => id.startsWith('edge:')).length <= 2, 'old edges are removed')
})

t.test('a batch that was stored in part before a crash ends the same, also when it comes again in other pieces', async (t) => {
  const random = createRandom(13)
  const events = household(9, TILE_WIDTH + 60)
  const whole = new Map<string, AuditDocument>()
  await appendTo(whole, audit, { events })
  for (let round = 0; round < 10; round++) {
    const cut = 1 + random.below(events.length - 1)
    const documents = new Map<string, AuditDocument>()
    await appendTo(documents, audit, { events: events.slice(0, cut) })
    const torn = new Map(documents)
    // The documents added before the crash: some of a longer batch.
    await appendTo(documents, audit, { events, batches: [cut] })
    for (const [id, document] of documents) if (random.below(2) === 0) torn.set(id, document)
    await appendTo(torn, audit, { events, batches: [cut, 1 + random.below(9)] })
    const lasting = [...whole.keys()].filter((id) => !id.startsWith('edge:'))
    t.strictSame(
      lasting.map((id) => torn.get(id)),
      lasting.map((id) => whole.get(id)),
      `cut after ${cut}`,
    )
  }
})
