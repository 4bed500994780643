/**
 * `include=total` on every list of the description: the total is the number of items of a complete walk. The lists are found in the
 * description, so a new one without data here fails. The whole application runs on in-memory engines, and once on the embedded read store.
 */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { toSeq } from '../../../src/events/position.ts'
import { byUser } from '../../../src/app/commands/command-handler.ts'
import type { App } from '../../../src/http/server/app.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { serveNode } from '../../fixtures/serve-node.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface List {
  readonly path: string
  readonly parameters: readonly string[]
}

interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
  readonly total?: number
}

interface World {
  readonly node: NodeFixture
  readonly app: App
  readonly admin: Person
  readonly child: Person
  /** Values of the path parameters, by path. */
  readonly params: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Further queries, by path. */
  readonly queries: Readonly<Record<string, readonly string[]>>
}

const FILMS = ['Alien (1979)', 'Aliens (1986)', 'Brazil (1985)', 'Metropolis (1927)', 'Nosferatu (1922)']
/** Each list has more items than one page. */
const LIMIT = 2
const HOOK = { url: 'https://hooks.example.org/one', events: ['*'], template: 'json' } as const
const WATCHED = { tmdb: null, imdb: null, plays: 1, watchedMs: 0, positionMs: null } as const

/** Lists have pages that end; a feed has none that is the last, so it has no total. */
async function listsOf(app: App): Promise<readonly List[]> {
  const { paths, components } = (await app.inject('/docs/openapi.json')).json<Description>()
  const resolved = (schema: Schema | undefined) => components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = (get?.parameters ?? []).map(({ name }) => name)
    const answer = resolved(get?.responses['200']?.content?.['application/json']?.schema)
    const isPage = answer?.properties?.['items'] !== undefined && [answer.properties['nextCursor']?.type].flat().includes('null')
    return isPage || parameters.includes('cursor') ? [{ path, parameters }] : []
  })
}

async function makeWorld(t: Test, store: ReadStore): Promise<World> {
  const node = await openNodeFixture(t, { cluster: { ...createCluster(), store } })
  const { clock, mediaFiles, playback, movieMarks } = node
  const admin = await node.person({ role: 'admin' })
  const webhook = allowed(await node.webhooks.add(admin.caller, HOOK, ORIGIN))
  for (const film of FILMS) {
    // Names that differ only in case are one collection.
    for (const [folder, set] of Object.entries({ '/films': `Set of ${film[0]}`, '/others': `SET OF ${film[0]}` })) {
      mediaFiles.put(`${folder}/${film}/${film}.mkv`)
      const content = `<movie><title>${film.slice(0, -7)}</title><set><name>${set}</name></set></movie>`
      mediaFiles.put(`${folder}/${film}/movie.nfo`, { content })
    }
  }
  const [films, others] = [await node.newLibrary('/films'), await node.newLibrary('/others')]
  await node.newLibrary('/empty')
  const from = new Date(clock.now()).toISOString()
  await node.scan(others)
  const scan = await node.scan(films)
  await node.scan(films)
  await clock.advance(60_000)
  const to = new Date(clock.now()).toISOString()
  await clock.advance(60_000)
  const child = await node.person({ libraryAccess: 'selected', libraryIds: [films] })
  await node.person({})

  const visible: string[] = []
  const hidden: string[] = []
  for await (const { id, libraryId } of node.readModels.movies.walk({})) (libraryId === films ? visible : hidden).push(id)
  let importId = ''
  for (const { caller } of [admin, child]) {
    for (const id of [...visible, visible[1] ?? '']) allowed(await playback.start(caller, { movieId: id }, ORIGIN))
    for (const id of caller.role === 'admin' ? [...visible, ...hidden] : visible) {
      await movieMarks.setResumePoint(caller, id, 600_000, ORIGIN)
      await clock.advance(1000)
    }
    for (let n = 0; n < 4; n++) {
      allowed(await movieMarks.setResumePoint(caller, visible[1] ?? '', 700_000 + n, ORIGIN))
      await clock.advance(1000)
    }
    allowed(await movieMarks.markWatched(caller, visible[0] ?? '', undefined, ORIGIN))
    for (const source of ['trakt', 'simkl', 'letterboxd']) {
      const items = FILMS.map((title) => ({ ...WATCHED, title: `Not ${title}`, year: 1999, watchedAt: '2020-03-01T20:00:00.000Z' }))
      const author = byUser(caller.userId, 'importHistory', ORIGIN)
      const taken = allowed(await node.historyImports.take(caller, { source, importId: null, dryRun: false, items }, author))
      if (caller.role === 'admin') importId = taken.importId ?? ''
    }
    for (let n = 0; n < 3; n++) await node.login(caller.userId)
  }
  await node.seen()
  const past = `asOf=seq:${toSeq(await node.cluster.log.head())}`
  // A film whose resume point, collection and changes stay, and which lists leave out.
  mediaFiles.remove('/films/Brazil (1985)/Brazil (1985).mkv')
  await node.scan(films)
  allowed(await node.users.change(admin.caller, child.caller.userId, { name: 'A child' }, ORIGIN))
  await node.seen()
  for (let n = 0; n < 20; n++) await clock.advance(100)

  return {
    node,
    app: await serveNode(t, node),
    admin,
    child,
    params: {
      '/v1/libraries': { id: films, scanId: scan.id },
      '/v1/movies': { id: visible[1] ?? '' },
      '/v1/users': { id: child.caller.userId },
      '/v1/history': { id: importId },
      '/v1/admin/webhooks': { id: webhook.id },
    },
    queries: {
      '/v1/movies': ['inProgress=true', 'watched=false', 'availability=all', 'sort=random&seed=7', past],
      '/v1/movies/recently-added': [`libraryId=${films}`],
      '/v1/users': ['role=user', 'q=child'],
      '/v1/history': ['scope=all', 'source=manual', `libraryId=${films}`, `from=${to}`, past],
      '/v1/playback/continue-watching': [past],
      '/v1/audit': ['type=PlaybackStarted', `from=${from}&to=${to}`, `actorId=${admin.caller.userId}`],
      '/v1/users/me/audit': ['order=asc'],
      '/v1/playback/sessions/active': ['scope=all'],
      '/v1/libraries/{id}/changes': [`from=${from}&to=${to}`, `from=${to}`, `to=${from}`],
      '/v1/admin/webhooks/{id}/deliveries': ['state=pending', 'state=parked'],
    },
  }
}

const ask = async ({ app }: World, { token }: Person, url: string, headers: Readonly<Record<string, string>> = {}) =>
  app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } })

function urlOf({ params }: World, path: string, query: readonly string[]): string {
  const [, values = {}] = Object.entries(params).findLast(([prefix]) => path.startsWith(`${prefix}/`)) ?? []
  return `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'missing')}?${query.filter(Boolean).join('&')}`
}

/** The items of all pages, and the totals that the pages had. */
async function walk(world: World, person: Person, { path, parameters }: List, query: string) {
  const limit = parameters.includes('limit') ? `limit=${LIMIT}` : ''
  const totals = new Set<number | undefined>()
  let count = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const url = urlOf(world, path, [query, limit, 'include=total', cursor && `cursor=${cursor}`])
    const page: Page = (await ask(world, person, url)).json()
    count += page.items.length
    totals.add(page.total)
    cursor = page.nextCursor
  }
  return { count, totals: [...totals] }
}

const STORES: Readonly<Record<string, (t: Test) => Promise<ReadStore>>> = {
  'in memory': async () => createMemoryReadStore(),
  embedded: async (t) => {
    const store = createSqliteReadStore({ file: join(testFolder(t), 'read-models.sqlite') })
    t.teardown(() => store.close())
    return store
  },
}

for (const [name, open] of Object.entries(STORES)) {
  t.test(`the total of every list is the number of items of its walk (read store: ${name})`, { timeout: 120_000 }, async (t) => {
    const world = await makeWorld(t, await open(t))
    const lists = await listsOf(world.app)
    t.ok(lists.length >= 20, 'the description has lists')
    for (const list of lists) {
      t.ok(list.parameters.includes('include'), `${list.path} takes include`)
      for (const query of ['', ...(world.queries[list.path] ?? [])]) {
        for (const person of [world.admin, world.child]) {
          const url = urlOf(world, list.path, [query])
          const label = `${url} (${person.caller.role})`
          // Reads of others are recorded once: the walk itself changes nothing after this.
          const { statusCode } = await ask(world, person, url)
          await world.node.seen()
          if (person === world.admin || statusCode === 200) {
            t.equal(statusCode, 200, label)
            const { count, totals } = await walk(world, person, list, query)
            t.strictSame(totals, [count], label)
            if (person === world.admin && query === '')
              t.ok(count > (list.parameters.includes('limit') ? LIMIT : 0), `${label} has ${count} items`)
          } else {
            t.ok([403, 404].includes(statusCode), label)
          }
        }
      }
    }
  })
}

t.test('a total is present only if it was requested, with an entity tag of its own, and include takes nothing else', async (t) => {
  const world = await makeWorld(t, createMemoryReadStore())
  for (const { path } of await listsOf(world.app)) {
    const [bare, counted] = [urlOf(world, path, []), urlOf(world, path, ['include=total'])]
    await ask(world, world.admin, bare)
    await world.node.seen()
    const [plain, withTotal] = [await ask(world, world.admin, bare), await ask(world, world.admin, counted)]
    t.notOk('total' in plain.json<Page>(), bare)
    t.not(plain.headers.etag, withTotal.headers.etag, bare)
    const other = await ask(world, world.admin, urlOf(world, path, ['include=all']))
    t.match(other, { statusCode: 422 }, bare)
    t.match(other.json(), { details: [{ path: 'include' }] }, bare)
  }
})
