/** Asks the API random questions about a household's year, and records its response bodies. */
import { DIMENSIONS } from '../../../src/app/history/dimensions.ts'
import { METRICS } from '../../../src/app/history/measures.ts'
import { GROUPINGS } from '../../../src/domain/history/calendar.ts'
import { toSeq } from '../../../src/events/position.ts'
import type { Node } from '../../http/server/two-nodes.ts'
import type { Random } from '../../fixtures/random.ts'
import { CLIENTS, FROM, TO, type Household } from './household.ts'

export type Query = Readonly<Record<string, string>>
const FIGURES = ['overview', 'plays', 'top', 'concurrency', 'finish', 'rewatched', 'year'] as const
type Path = (typeof FIGURES)[number] | 'history' | 'movie-history' | 'timeline'

export interface Asked {
  readonly path: Path
  readonly query: Query
  readonly answer: unknown
  readonly csv?: string
  /** The raw bodies. */
  readonly raw: readonly string[]
  readonly clients?: Query
}

export interface Asking {
  readonly node: Node
  readonly household: Household
  readonly token: string
  readonly random: Random
}

const PATHS: readonly Path[] = ['history', 'history', 'movie-history', 'timeline', 'timeline', 'plays', 'plays', ...FIGURES]
const ZONES = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']
const MINUTE_MS = 60_000
/** The proportion of questions about the past. */
const PAST = 0.05

export async function askAll(asking: Asking, questions: number): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  for (let n = 0; n < questions; n++) asked.push(await ask(asking))
  return asked.map((one, n) => (n === 0 ? { ...one, clients: Object.fromEntries(asking.household.clients) } : one))
}

async function ask(asking: Asking): Promise<Asked> {
  const { household, random } = asking
  const path = random.pick(PATHS)
  if (path === 'timeline') return askTimeline(asking)
  if (path === 'movie-history') {
    const movieId = random.pick(household.movieIds)
    return { path, query: { movieId }, ...(await pages(asking, `/v1/movies/${movieId}/history`, {})) }
  }
  const past = random.chance(PAST) ? { asOf: await someSeq(asking) } : {}
  const query: Query = { ...queryFor(path, household, random), ...past }
  const scope = query['userId'] === undefined ? { ...query, scope: 'all' } : query
  if (path === 'history') return { path, query, ...(await pages(asking, '/v1/history', scope)) }
  const url = path === 'year' ? `/v1/analytics/year/${query['year']}` : `/v1/analytics/${path}`
  const { year: _, ...parameters } = scope
  const body = await get(asking, url, parameters)
  const csv = random.chance(0.3) ? { csv: await get(asking, url, { ...parameters, format: 'csv' }) } : {}
  return { path, query, answer: JSON.parse(body), raw: [body], ...csv }
}

async function get({ node, token }: Asking, url: string, query: Query): Promise<string> {
  const { status, body } = await node.ask('GET', `${url}?${String(new URLSearchParams(query))}`, { token })
  if (status !== 200) throw new Error(`${url} ${JSON.stringify(query)}: ${status} ${body}`)
  return body
}

async function pages(asking: Asking, url: string, query: Query): Promise<Pick<Asked, 'answer' | 'raw'>> {
  const raw: string[] = []
  const items: object[] = []
  for (let cursor: Query | undefined = {}; cursor;) {
    const body: string = await get(asking, url, { ...query, limit: '100', ...cursor })
    const page = JSON.parse(body) as { readonly items: readonly object[]; readonly nextCursor: string | null }
    raw.push(body)
    items.push(...page.items)
    cursor = page.nextCursor === null ? undefined : { cursor: page.nextCursor }
  }
  return { answer: items, raw }
}

/** About a session that nobody has removed from the history. */
async function askTimeline({ node, household, token, random }: Asking): Promise<Asked> {
  const ids = [...household.clients.keys()]
  for (;;) {
    const id = random.pick(ids)
    const { status, body } = await node.ask('GET', `/v1/history/${id}/timeline`, { token })
    if (status === 200) return { path: 'timeline', query: { id }, answer: JSON.parse(body), raw: [body] }
    if (status !== 404) throw new Error(`${id}: ${status} ${body}`)
  }
}

/** A random position among the household's events, since these questions are in the log too. */
async function someSeq({ household, random }: Asking): Promise<string> {
  return `seq:${1 + random.below(Number(toSeq(household.lived)))}`
}

function queryFor(path: Path, { people, movieIds, libraryIds }: Household, random: Random): Query {
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
  if (path === 'concurrency') return { ...filter, ...range, ...tz, points: random.pick(['2000', '50', '7', '1']) }
  if (path === 'year') return { userId: random.pick(people).caller.userId, ...tz, year: random.pick(['2025', '2026']) }
  if (path === 'finish' || path === 'rewatched') return { ...filter, ...range, ...tz, limit: '50' }
  if (path === 'top') return { ...filter, ...range, ...tz, ...metric, by: random.pick(DIMENSIONS), limit: '50' }
  const by = some(0.5, () => ({ by: random.pick(DIMENSIONS), limit: '50' }))
  return { ...filter, ...range, ...tz, ...metric, groupBy: random.pick(GROUPINGS), ...by }
}
