/** Measures durable commands: 64 clients mark movies as watched and unwatched, in turns with posts to a bare Fastify route. */
import { loadFor } from './load.ts'
import { median, wholeNumber, type Report } from './table.ts'

export interface CommandServers {
  readonly ports: { readonly ours: number; readonly bare: number }
  readonly token: string
}

const CONNECTIONS = 64
const ROUNDS = 4
const ROUND_MS = 2500
const GOAL = 0.5

export async function measureCommands(report: Report, { ports, token }: CommandServers): Promise<void> {
  const movies = await someMovies(ports.ours, token)
  const load = { token, connections: CONNECTIONS, durationMs: ROUND_MS }
  const turns = new Map<number, number>()
  const mark = (connection: number) => {
    const turn = turns.get(connection) ?? 0
    turns.set(connection, turn + 1)
    return `${turn % 2 === 0 ? 'PUT' : 'DELETE'} /v1/movies/${movies[connection] ?? ''}/watched`
  }
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await loadFor({ ...load, port: ports.bare, next: () => 'POST /' })
    const ours = await loadFor({ ...load, port: ports.ours, next: mark })
    // The first round warms up.
    if (round === 0) continue
    rates.bare.push(bare)
    rates.ours.push(ours)
  }
  const [ours, bare] = [median(rates.ours), median(rates.bare)]
  report({
    what: `durable commands a second, ${CONNECTIONS} clients (PUT and DELETE watched)`,
    ours: wholeNumber(ours),
    yardstick: `${wholeNumber(bare)} (bare Fastify POST)`,
    ratio: ours / bare,
    goal: `>= ${GOAL}x`,
    met: ours / bare >= GOAL,
  })
}

async function someMovies(port: number, token: string): Promise<readonly string[]> {
  const url = `http://127.0.0.1:${port}/v1/movies?sort=addedAt&limit=${CONNECTIONS}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(10_000) })
  const page = (await answer.json()) as { readonly items: readonly { readonly id: string }[] }
  return page.items.map(({ id }) => id)
}
