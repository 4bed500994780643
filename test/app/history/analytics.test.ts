/** Figures over the history: each equals an independent count of the listed history. */
import t from 'tap'
import type { Asking, HistoryEntry } from '../../../src/app/history/history.ts'
import { DIMENSIONS, type Dimension } from '../../../src/app/history/dimensions.ts'
import { METRICS, type Metric } from '../../../src/app/history/measures.ts'
import type { HistoryFilter } from '../../../src/app/history/viewing-filters.ts'
import { GROUPINGS, type Grouping } from '../../../src/domain/history/calendar.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { createRandom, type Random } from '../../fixtures/random.ts'

const START = Date.parse('2026-03-20T00:00:00.000Z')
const DAYS = 24
const HOUR_MS = 3_600_000
const ZONES = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York', 'Asia/Kathmandu']
const CLIENTS = ['Living room', 'Phone', 'Browser']
const QUERIES = 200

const asking = ({ caller }: Person): Asking => ({ caller, operation: 'GET /v1/analytics/plays', origin: ORIGIN })
const timeOf = (ms: number): string => new Date(ms).toISOString()

interface Household {
  readonly node: NodeFixture
  readonly people: readonly Person[]
  readonly movieIds: readonly string[]
}

/** Three weeks of two films and three users, including clock changes in Berlin and on Lord Howe. */
async function household(t: Parameters<typeof openNodeFixture>[0], random: Random): Promise<Household> {
  const node = await openNodeFixture(t, { cluster: createCluster({ startMs: START }) })
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  node.mediaFiles.put('/kids/Ponyo (2008).mkv')
  for (const library of [await node.newLibrary('/films'), await node.newLibrary('/kids')]) await node.scan(library)
  const movieIds = [(await node.movieNamed('Brazil')).id, (await node.movieNamed('Ponyo')).id]
  const people = [await node.person({ role: 'admin' }), await node.person(), await node.person()]
  while (node.clock.now() < START + DAYS * 24 * HOUR_MS) {
    node.clock.setNow(node.clock.now() + random.below(9 * HOUR_MS))
    // A login does not last so long.
    const { caller } = await node.login(random.pick(people).caller.userId)
    const movieId = random.pick(movieIds)
    if (random.chance(1 / 8)) {
      const watchedAt = timeOf(node.clock.now() - random.below(48) * HOUR_MS)
      allowed(await node.movieMarks.markWatched(caller, movieId, watchedAt, ORIGIN))
      continue
    }
    const client = { name: random.pick(CLIENTS), version: null, device: null, deviceId: null }
    const { session } = allowed(await node.playback.start(caller, { movieId, client }, ORIGIN))
    for (let beat = 1; beat <= 1 + random.below(5); beat++) {
      await node.clock.advance(10_000)
      allowed(await node.playback.heartbeat(caller, session.id, { positionMs: beat * 10_000 }, ORIGIN))
    }
    allowed(await node.playback.end(caller, session.id, ORIGIN))
  }
  return { node, people, movieIds }
}

/** All listed entries of the history. */
async function listed({ node }: Household, person: Person, filter: HistoryFilter): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  let after: Parameters<NodeFixture['history']['list']>[2]['after']
  do {
    const page = await node.history.list(asking(person), filter, { limit: 37, ...(after ? { after } : {}) })
    entries.push(...page.items)
    after = page.next ?? undefined
  } while (after)
  return entries
}

/** Computed from the parts of the local time, as the platform formats them. */
function bucketOf(grouping: Grouping, time: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    weekday: 'short',
  }).formatToParts(new Date(time))
  const part = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? ''
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(part('weekday'))
  const date = `${part('year')}-${part('month')}-${part('day')}`
  if (grouping === 'day') return date
  if (grouping === 'month') return date.slice(0, 7)
  if (grouping === 'hourOfDay') return String(Number(part('hour')))
  if (grouping === 'dayOfWeek') return String(weekday + 1)
  if (grouping === 'hourOfWeek') return String(weekday * 24 + Number(part('hour')))
  // All of these days are in 2026, whose first week starts on Monday, 29 December 2025.
  const weeks = Math.floor((Date.parse(date) - Date.parse('2025-12-29')) / (7 * 24 * HOUR_MS)) + 1
  return `2026-W${String(weeks).padStart(2, '0')}`
}

const VALUES: Readonly<Record<Dimension, (entry: HistoryEntry) => string | null>> = {
  movie: ({ movieId }) => movieId,
  user: ({ userId }) => userId,
  client: ({ client }) => client && (JSON.parse(client) as { readonly name: string }).name,
  library: ({ libraryId }) => libraryId,
  method: ({ method }) => method,
  resolution: ({ resolution }) => resolution,
}

function measured(entries: readonly HistoryEntry[], metric: Metric): number {
  if (metric === 'plays') return entries.length
  if (metric === 'users') return new Set(entries.map(({ userId }) => userId)).size
  return entries.reduce((sum, { watchedMs }) => sum + watchedMs, 0) / 1000
}

function randomFilter({ people, movieIds }: Household, random: Random): { readonly person: Person; readonly filter: HistoryFilter } {
  const [admin, ...others] = people
  if (!admin) throw new Error('There is an administrator')
  const person = random.chance(0.5) ? admin : random.pick(others)
  const from = START + random.below(DAYS * 24 * HOUR_MS)
  const filter = {
    ...(person === admin && random.chance(0.7) ? {} : { userId: person.caller.userId }),
    from: timeOf(from),
    to: timeOf(from + 1 + random.below(DAYS * 24 * HOUR_MS)),
    ...(random.chance(0.3) ? { movieId: random.pick(movieIds) } : {}),
    ...(random.chance(0.3) ? { client: random.pick(CLIENTS) } : {}),
    ...(random.chance(0.2) ? { source: random.pick(['playback', 'manual'] as const) } : {}),
    ...(random.chance(0.2) ? { completed: random.chance(0.5) } : {}),
  }
  return { person, filter }
}

t.test('for random filters, ranges and zones each figure is that of the viewings that the history lists', async (t) => {
  const random = createRandom(7)
  const fixture = await household(t, random)
  const { analytics } = fixture.node
  const everything = await listed(fixture, fixture.people[0] as Person, {})
  t.ok(everything.length > 90, `${everything.length} viewings`)
  t.strictSame([...new Set(everything.map(({ source }) => source))].toSorted(), ['manual', 'playback'])
  for (let query = 0; query < QUERIES; query++) {
    const { person, filter } = randomFilter(fixture, random)
    const { from, to, ...rest } = filter
    const [tz, groupBy, metric, by] = [random.pick(ZONES), random.pick(GROUPINGS), random.pick(METRICS), random.pick(DIMENSIONS)]
    const asked = { filter: rest, tz, groupBy, metric, by, limit: 10, ...(from && to ? { from, to } : {}) }
    const told = JSON.stringify(asked)
    const entries = await listed(fixture, person, filter)
    const plays = allowed(await analytics.plays(asking(person), asked))
    const inBucket = Map.groupBy(entries, ({ startedAt }) => bucketOf(groupBy, startedAt, tz))
    const keys = plays.buckets.map(({ key }) => key)
    t.strictSame(
      [...inBucket.keys()].filter((key) => !keys.includes(key)),
      [],
      `no bucket is missing: ${told}`,
    )
    t.strictSame(
      plays.total,
      keys.map((key) => measured(inBucket.get(key) ?? [], metric)),
      told,
    )
    const byValue = Map.groupBy(entries, VALUES[by])
    t.strictSame(new Set(plays.series.map(({ key }) => key)), new Set(byValue.keys()), told)
    for (const { key, values } of plays.series) {
      const wanted = keys.map((bucket) =>
        measured(
          (inBucket.get(bucket) ?? []).filter((entry) => VALUES[by](entry) === key),
          metric,
        ),
      )
      t.strictSame(values, wanted, `${key}: ${told}`)
    }
    const { items } = allowed(await analytics.top(asking(person), asked))
    for (const { key, plays: count, watchedMs, users } of items) {
      const those = byValue.get(key) ?? []
      t.strictSame(
        [count, watchedMs / 1000, users],
        METRICS.map((one) => measured(those, one)),
        `top ${key}: ${told}`,
      )
    }
    const overview = allowed(await analytics.overview(asking(person), asked))
    t.match(overview, {
      plays: entries.length,
      watchedMs: measured(entries, 'seconds') * 1000,
      users: measured(entries, 'users'),
      movies: new Set(entries.map(({ movieId }) => movieId)).size,
      completed: entries.filter(({ completed }) => completed).length,
    })
    const running = entries.filter(({ source }) => source === 'playback')
    const { max, points, isExact } = allowed(await analytics.concurrency(asking(person), { ...asked, points: 2_000 }))
    t.ok(isExact)
    t.equal(max.count, Math.max(...points.map(({ count }) => count)))
    for (const { startedAt } of running) t.ok((points.findLast(({ atMs }) => atMs <= Date.parse(startedAt))?.count ?? 0) >= 1, startedAt)
  }
})

t.test('questions that group viewings by the same field for different reasons do not share an answer', async (t) => {
  const { node, people } = await household(t, createRandom(11))
  const [admin] = people
  if (!admin) throw new Error('There is an administrator')
  const asked = { filter: {}, tz: 'UTC', groupBy: 'dayOfWeek', limit: 10, from: timeOf(START) } as const
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const plays = async (metric: Metric, by?: Dimension) => {
    const { total, series } = allowed(await node.analytics.plays(asking(admin), { ...asked, metric, ...(by ? { by } : {}) }))
    return { total: sum(total), series: sum(series.flatMap(({ values }) => values)) }
  }
  const users = await plays('users')
  const byUser = await plays('plays', 'user')
  t.ok(byUser.series > 0)
  t.equal(byUser.series, byUser.total)
  t.strictSame(await plays('users'), users)
  t.ok(users.total > 7, 'several people on some day')
})

t.test('films, people, libraries and clients have names', async (t) => {
  const random = createRandom(3)
  const fixture = await household(t, random)
  const [admin] = fixture.people
  if (!admin) throw new Error('There is an administrator')
  const asked = { filter: {}, tz: 'UTC', metric: 'plays', limit: 2, from: timeOf(START) } as const
  const labels = async (by: Dimension) =>
    allowed(await fixture.node.analytics.top(asking(admin), { ...asked, by })).items.map(({ label }) => label)
  t.strictSame(new Set(await labels('movie')), new Set(['Brazil', 'Ponyo']))
  t.equal((await labels('user')).length, 2, 'as many as asked for')
  t.ok((await labels('user')).every((name) => typeof name === 'string' && name !== ''))
  t.ok((await labels('client')).every((name) => name !== null && CLIENTS.includes(name)))
})

t.test('looks at the figures of others are recorded; wrong ranges and zones are refused', async (t) => {
  const node = await openNodeFixture(t, { cluster: createCluster({ startMs: START }) })
  const [admin, ann] = [await node.person({ role: 'admin' }), await node.person()]
  const asked = { filter: { userId: ann.caller.userId }, tz: 'UTC' }
  allowed(await node.analytics.overview(asking(admin), asked))
  allowed(await node.analytics.overview(asking(ann), asked))
  const looks = (await node.events()).filter(({ type }) => type === 'HistoryViewed')
  t.match(looks, [{ data: { userId: ann.caller.userId } }])
  const refused = async (wrong: object) => node.analytics.overview(asking(ann), { ...asked, ...wrong })
  t.match(await refused({ tz: 'Europe/Nowhere' }), { refusal: 'invalid', path: 'tz' })
  t.match(await refused({ from: '2020-01-01T00:00:00.000Z' }), { refusal: 'invalid', path: 'from' })
  t.match(await refused({ from: timeOf(START), to: timeOf(START) }), { refusal: 'invalid', path: 'from' })
})

t.test('figures end with their range, although it ends within a bucket or a minute', async (t) => {
  const node = await openNodeFixture(t, { cluster: createCluster({ startMs: START }) })
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  await node.scan(await node.newLibrary('/films'))
  const { id } = await node.movieNamed('Brazil')
  const ann = await node.person()
  node.clock.setNow(START + 2 * HOUR_MS)
  for (const seconds of [10, 20, 40]) {
    await node.movieMarks.markUnwatched(ann.caller, id, ORIGIN)
    allowed(await node.movieMarks.markWatched(ann.caller, id, timeOf(START + HOUR_MS + seconds * 1000), ORIGIN))
  }
  const playsUntil = async (seconds: number, groupBy: Grouping) => {
    const query = { filter: { userId: ann.caller.userId }, tz: 'UTC', from: timeOf(START), to: timeOf(START + HOUR_MS + seconds * 1000) }
    const { total } = allowed(await node.analytics.plays(asking(ann), { ...query, groupBy, metric: 'plays', limit: 10 }))
    return total.reduce((sum, plays) => sum + plays, 0)
  }
  for (const groupBy of GROUPINGS) {
    t.equal(await playsUntil(60, groupBy), 3, groupBy)
    t.equal(await playsUntil(20, groupBy), 1, groupBy)
  }
})
