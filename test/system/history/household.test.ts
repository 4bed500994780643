/** Figures and lists of a household's year equal what a program in Python counts from the raw events. */
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { views } from '../../../projections/views/all.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import { derivedId } from '../../../src/events/derived-id.ts'
import { DIMENSIONS } from '../../../src/app/history/dimensions.ts'
import { METRICS } from '../../../src/app/history/measures.ts'
import { GROUPINGS } from '../../../src/domain/history/calendar.ts'
import { openNode, type Node } from '../../http/server/two-nodes.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { createRandom, type Random } from '../../fixtures/random.ts'
import { CLIENTS, everything, FROM, liveAYear, TO, type Household } from './household.ts'

/** `MARQUEE_TEST_HOUSEHOLD=1600`: as many viewings as make 200,000 events. */
const VIEWINGS = Number(process.env['MARQUEE_TEST_HOUSEHOLD'] ?? 60)
const QUESTIONS = 200
const ZONES = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']
const MINUTE_MS = 60_000
const python = findProgram('python3')

type Query = Readonly<Record<string, string>>
interface Asked {
  readonly path: 'history' | 'overview' | 'plays' | 'top' | 'concurrency' | 'finish' | 'rewatched' | 'year'
  readonly query: Query
  readonly answer: unknown
  readonly clients?: Query
}

t.test('every figure equals an independent count from the events', { timeout: 1_200_000 }, async (t) => {
  if (!python) return tellMissing(t, 'python3', 'The independent count is a program in Python.')
  const folder = t.testdir()
  mkdirSync(join(folder, 'data'))
  const startMs = performance.now()
  const household = await liveAYear(t, { folder: join(folder, 'data'), seed: 5, viewings: VIEWINGS })
  const { town } = household.node
  const [events, questions] = [join(folder, 'events.jsonl'), join(folder, 'questions.jsonl')]
  t.comment(`${await writeEvents(household, events)} events in ${Math.round((performance.now() - startMs) / 1000)} s`)
  const node = await openNode(t, { town, name: 'asked', house: household.node })
  const { token } = await household.node.login(household.people[0]!.caller.userId)
  const asked = await askAll({ node, household, token, random: createRandom(18) })
  writeFileSync(questions, asked.map((one) => `${JSON.stringify(one)}\n`).join(''))
  t.strictSame(count(events, questions), { wrong: 0, questions: QUESTIONS, said: [] })
  t.strictSame(await oddities(node, token), { backwards: [], longer: [] }, 'nothing ends before it began, or was watched for longer')
  const begun = asked.filter(({ path, answer }) => path === 'overview' && (answer as { readonly plays: number }).plays > 0)
  t.ok(begun.length > 2, 'the questions are about something')
  const first = { ...begun[0], answer: { ...Object(begun[0]?.answer), plays: 1_000 }, clients: asked[0]?.clients }
  writeFileSync(join(folder, 'wrong.jsonl'), `${JSON.stringify(first)}\n`)
  t.equal(count(events, join(folder, 'wrong.jsonl')).wrong, 1, 'a wrong answer is found')

  for (const view of views) await town.store.drop(collectionOf(view))
  const again = { ...household, node: await rebuilt(t, household) }
  const other = await openNode(t, { town, name: 'again', house: again.node })
  const login = await again.node.login(household.people[0]!.caller.userId)
  t.strictSame(
    await askAll({ node: other, household: again, token: login.token, random: createRandom(18) }),
    asked,
    'the same after the read models were made anew',
  )
})

async function writeEvents({ node }: Household, file: string): Promise<number> {
  const lines = createWriteStream(file)
  let written = 0
  for await (const batch of everything(node.town.log)) {
    for (const { type, id, data, metadata } of batch) {
      // The id of a mark's entry in the history follows from the event's.
      const viewing = type === 'MovieMarkedWatched' ? { viewing: derivedId('viewing', id) } : {}
      lines.write(`${JSON.stringify({ type, at: metadata.at, data, ...viewing })}\n`)
    }
    written += batch.length
  }
  await finished(lines.end())
  return written
}

interface Lasting {
  readonly id: string
  readonly startedAt: string
  readonly endedAt: string
  readonly watchedSeconds: number
  readonly source: string
}

/** Of all viewings: those whose times contradict each other. */
async function oddities(node: Node, token: string) {
  const backwards: string[] = []
  const longer: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await node.ask('GET', `/v1/history?scope=all&limit=100${page}`, { token })
    const { items, nextCursor } = JSON.parse(body) as { readonly items: readonly Lasting[]; readonly nextCursor: string | null }
    for (const { id, startedAt, endedAt, watchedSeconds, source } of items) {
      if (endedAt < startedAt) backwards.push(id)
      if (source === 'playback' && watchedSeconds * 1000 > Date.parse(endedAt) - Date.parse(startedAt)) longer.push(id)
    }
    cursor = nextCursor
  }
  return { backwards, longer }
}

interface Asking {
  readonly node: Node
  readonly household: Household
  readonly token: string
  readonly random: Random
}

async function askAll(asking: Asking): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  for (let n = 0; n < QUESTIONS; n++) asked.push(await ask(asking))
  return asked.map((one, n) => (n === 0 ? { ...one, clients: Object.fromEntries(asking.household.clients) } : one))
}

async function ask({ node, household, token, random }: Asking): Promise<Asked> {
  const path = random.pick(['history', 'overview', 'plays', 'plays', 'plays', 'top', 'concurrency', 'finish', 'rewatched', 'year'] as const)
  const query = queryFor(path, household, random)
  const scope = query.userId === undefined ? { ...query, scope: 'all' } : query
  const get = async (url: string, more: Query = {}) => {
    const { status, body } = await node.ask('GET', `${url}?${String(new URLSearchParams({ ...scope, ...more }))}`, { token })
    if (status !== 200) throw new Error(`${url} ${JSON.stringify(query)}: ${status} ${body}`)
    return JSON.parse(body) as { readonly items: readonly object[]; readonly nextCursor: string | null }
  }
  if (path === 'year') {
    const year = random.pick(['2025', '2026'])
    return { path, query: { ...query, year }, answer: await get(`/v1/analytics/year/${year}`) }
  }
  if (path !== 'history') return { path, query, answer: await get(`/v1/analytics/${path}`) }
  const items: object[] = []
  let cursor: Query = {}
  for (;;) {
    const page = await get('/v1/history', { limit: '100', ...cursor })
    items.push(...page.items)
    if (page.nextCursor === null) return { path, query, answer: items }
    cursor = { cursor: page.nextCursor }
  }
}

function queryFor(path: Asked['path'], { people, movieIds, libraryIds }: Household, random: Random): Query {
  const fromMs = FROM + random.below((TO - FROM) / MINUTE_MS) * MINUTE_MS + random.below(2) * random.below(MINUTE_MS)
  const toMs = Math.min(TO, fromMs + (1 + random.below(random.pick([120, 60 * 24 * 3, 60 * 24 * 365]))) * MINUTE_MS)
  const range = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  const some = (chance: number, query: () => Query) => (random.chance(chance) ? query() : {})
  const filter = {
    ...some(0.4, () => ({ userId: random.pick(people).caller.userId })),
    ...some(0.1, () => ({ movieId: random.pick(movieIds) })),
    ...some(0.2, () => ({ libraryId: random.pick(libraryIds) })),
    ...some(0.2, () => ({ completed: String(random.chance(0.5)) })),
    ...some(0.15, () => ({ client: random.pick(CLIENTS) })),
    ...some(0.15, () => ({ source: random.pick(['playback', 'manual', 'import']) })),
  }
  const tz = { tz: random.pick(ZONES) }
  const metric = { metric: random.pick(METRICS) }
  if (path === 'history') return { ...filter, ...range }
  if (path === 'overview') return { ...filter, ...range, ...tz }
  if (path === 'concurrency') return { ...filter, ...range, ...tz, points: '2000' }
  if (path === 'year') return { userId: random.pick(people).caller.userId, ...tz }
  if (path === 'finish' || path === 'rewatched') return { ...filter, ...range, ...tz, limit: '50' }
  if (path === 'top') return { ...filter, ...range, ...tz, ...metric, by: random.pick(DIMENSIONS), limit: '50' }
  const by = some(0.5, () => ({ by: random.pick(DIMENSIONS), limit: '50' }))
  return { ...filter, ...range, ...tz, ...metric, groupBy: random.pick(GROUPINGS), ...by }
}

function count(events: string, questions: string) {
  const { stdout, stderr } = spawnSync(python ?? '', [join(import.meta.dirname, 'count_history.py'), events, questions], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (stderr !== '') throw new Error(stderr)
  const lines = stdout.trim().split('\n')
  const { wrong, questions: asked } = JSON.parse(lines.at(-1) ?? '') as { readonly wrong: number; readonly questions: number }
  return { wrong, questions: asked, said: lines.slice(0, -1) }
}

async function rebuilt(t: Test, { node }: Household) {
  await node.stop()
  const next = await openNodeFixture(t, { town: node.town, node: 'two' })
  await next.seen()
  return next
}
