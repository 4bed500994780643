import t from 'tap'
import type { LifeStep } from '../../../src/app/history/movie-life.ts'
import type { ListPage } from '../../../src/app/read-models/page.ts'
import { movie } from '../../../src/domain/movies/movie.ts'
import { movieStream } from '../../../src/events/streams.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

async function household(t: Parameters<typeof openNodeFixture>[0]) {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  const films = await node.newLibrary('/films')
  await node.scan(films)
  const brazil = await node.movieNamed('Brazil')
  const admin = await node.person({ role: 'admin' })
  const ann = await node.person()
  const bob = await node.person()
  const stranger = await node.person({ libraryAccess: 'selected', libraryIds: [] })
  return { node, films, brazil, admin, ann, bob, stranger }
}

const asking = ({ caller }: Person) => ({ caller, operation: 'GET /v1/movies/:id/life', origin: ORIGIN })

async function life(node: NodeFixture, person: Person, id: string, limit = 100): Promise<readonly LifeStep[]> {
  const steps: LifeStep[] = []
  for (let after; ;) {
    const page: ListPage<LifeStep> = allowed(await node.movieLife.of(asking(person), id, { limit, ...(after ? { after } : {}) }))
    steps.push(...page.items)
    if (!page.next) return steps
    after = page.next
  }
}

/** A file that disappears, returns, is edited and is watched by two people. */
async function lived(t: Parameters<typeof openNodeFixture>[0]) {
  const given = await household(t)
  const { node, films, brazil, admin, ann, bob } = given
  const times: Record<string, string> = {}
  const later = async (name: string) => {
    await node.clock.advance(60_000)
    times[name] = new Date(node.clock.now()).toISOString()
    await node.clock.advance(60_000)
  }
  await later('before')
  node.mediaFiles.remove('/films/Brazil (1985).mkv')
  node.mediaFiles.put('/films/Alien (1979).mkv')
  await node.scan(films)
  await later('away')
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  await node.scan(films)
  allowed(await node.movieCorrections.edit(admin.caller, brazil.id, { tags: ['good'] }, ORIGIN))
  for (const { caller } of [ann, bob]) {
    const { session } = allowed(await node.playback.start(caller, { movieId: brazil.id }, ORIGIN))
    allowed(await node.playback.heartbeat(caller, session.id, { positionMs: 60_000 }, ORIGIN))
    allowed(await node.playback.end(caller, session.id, ORIGIN))
  }
  await later('end')
  await node.seen()
  return { ...given, times }
}

t.test('the life of a film begins with its discovery, and has each step and viewing in order', async (t) => {
  const { node, brazil, admin, ann, bob, stranger } = await lived(t)
  const all = await life(node, admin, brazil.id)
  t.equal(all.at(-1)?.kind, 'discovered')
  const kinds = all.map(({ kind }) => kind).toReversed()
  t.match(kinds.join(' '), /^discovered .*file_added.* file_missing file_returned edited viewing viewing$/)
  t.strictSame(
    all.map(({ at }) => at),
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
    'newest first',
  )
  const edited = all.find(({ kind }) => kind === 'edited')
  t.match(edited, { by: { kind: 'user', id: admin.caller.userId }, changes: [{ path: 'edited.tags', from: null, to: ['good'] }] })
  const viewers = all.flatMap(({ viewing }) => (viewing ? [viewing.userId] : []))
  t.strictSame(new Set(viewers), new Set([ann.caller.userId, bob.caller.userId]))
  t.equal(viewers.length, 2)
  t.match(await node.movieLife.of(asking(stranger), brazil.id, { limit: 10 }), { refusal: 'not-found' })
})

t.test('a life goes on when files move and are replaced, and when the movie is matched', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Heat (1995).mkv')
  const films = await node.newLibrary('/films')
  await node.scan(films)
  const admin = await node.person({ role: 'admin' })
  const { id } = await node.movieNamed('Heat')
  node.mediaFiles.move('/films/Heat (1995).mkv', '/films/Heat/Heat (1995).mkv')
  await node.scan(films)
  node.mediaFiles.put('/films/Heat/Heat (1995).mkv', { content: 'another cut', sizeBytes: 9_000 })
  await node.scan(films)
  const event = { type: 'MovieMatchPinned', data: { movieId: id, tmdb: '949', imdb: null, title: null, year: null } } as const
  await node.commandHandler.execute({ stream: movieStream(id), decider: movie }, () => [event], { actor: 'cli', command: 'pin' })
  await node.seen()
  const kinds = (await life(node, admin, id)).map(({ kind }) => kind).toReversed()
  t.match(kinds.join(' '), /^discovered .*file_added.* file_moved .*file_replaced.* match_pinned/)
})

t.test('users see their own viewings, names of files, and not who did it', async (t) => {
  const { node, brazil, admin, ann } = await lived(t)
  const own = await life(node, ann, brazil.id)
  t.match(
    own.filter(({ kind }) => kind === 'viewing'),
    [{ viewing: { userId: ann.caller.userId } }],
  )
  t.match(own.find(({ kind }) => kind === 'edited')?.by, { kind: 'user', id: null })
  t.notMatch(JSON.stringify(own), '/films/')
  t.match(JSON.stringify(own), 'Brazil (1985).mkv')
  t.match(JSON.stringify(await life(node, admin, brazil.id)), '/films/Brazil (1985).mkv')
})

t.test('page by page it is the same', async (t) => {
  const { node, brazil, admin } = await lived(t)
  const all = await life(node, admin, brazil.id)
  for (const limit of [1, 2, 3]) t.strictSame(await life(node, admin, brazil.id, limit), all)
})

t.test('what came, went and changed in a library between two times', async (t) => {
  const { node, films, brazil, ann, stranger, times } = await lived(t)
  const net = async (from: string, to: string) => {
    const { items } = allowed(await node.libraryMovieChanges.between(ann.caller, films, { from, to }, { limit: 100 }))
    return items.map(({ title, net, changes }) => `${title} ${net}: ${changes.map(({ kind }) => kind).join(' ')}`)
  }
  const { before = '', away = '', end = '' } = times
  t.match(await net('', before), [/^Brazil came: discovered/])
  t.match((await net(before, away)).toSorted(), [/^Alien came: discovered/, 'Brazil went: file_missing'])
  t.strictSame(await net(away, end), ['Brazil came: file_returned edited'])
  t.strictSame(
    (await net(before, end)).filter((line) => line.startsWith('Brazil')),
    ['Brazil changed: file_missing file_returned edited'],
  )
  t.strictSame(await net(end, '~'), [])
  t.match(await node.libraryMovieChanges.between(stranger.caller, films, { from: '', to: '~' }, { limit: 10 }), { refusal: 'not-found' })
  t.ok(brazil)
})
