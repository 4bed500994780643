/** The final probe: after a time without faults everything works again, on every node. */
import { isRefusal } from '../../src/domain/refusal.ts'
import { parseQuality } from '../../src/domain/streaming/stream-name.ts'
import type { Answer, Work } from './api-nodes.ts'
import { MOVIES, LOGINS } from './seed-log.ts'
import type { ApiNode } from './api-node.ts'
import type { Play } from './viewer.ts'

/** On each node: starts a session; the next node takes its heartbeat, returns its first segment, and ends it. */
export async function probe(play: Play): Promise<void> {
  const nodes = play.fixture.nodes()
  for (const [n, node] of nodes.entries()) {
    const next = nodes[(n + 1) % nodes.length] ?? node
    await probeBetween(play, node, next)
  }
}

async function probeBetween({ fixture, chance }: Play, node: ApiNode, next: ApiNode): Promise<void> {
  const [login] = LOGINS.root
  const there = MOVIES.filter(({ libraryId }) => node.services.access.libraries.has(libraryId))
  const film = there[chance(Math.max(1, there.length))]
  const quality = parseQuality('original')
  if (!login || !film || !quality) return

  async function must<Value>(at: ApiNode, what: string, work: Work<Value>): Promise<Value | undefined> {
    const answer: Answer<Value> = await fixture.askAt(at, { what, token: login?.token ?? '', work })
    if (answer.type === 'done') return answer.value
    fixture.world.fail(`${what} at ${at.host.name} after all: ${answer.type === 'refused' ? answer.why : answer.type}`)
    return undefined
  }

  const started = await must(node, 'start', ({ playback }, caller, origin) => playback.start(caller, { movieId: film.movieId }, origin))
  if (!started) return
  const { id } = started.session
  await must(next, 'heartbeat', ({ playback }, caller, origin) => playback.heartbeat(caller, id, { positionMs: 1 }, origin))
  await must(next, 'segment', async ({ streamAccess, streams }) => {
    const grant = await streamAccess.authorize(login.token, id)
    if (isRefusal(grant)) return grant
    const made = await streams.segment({ ...grant, token: '', signal: new AbortController().signal }, quality, 0)
    if (!made || 'unavailable' in made) fixture.world.fail(`no segment at ${next.host.name} after all: ${made?.unavailable}`)
    return true
  })
  await must(next, 'end', async ({ playback }, caller, origin) => (await playback.end(caller, id, origin)) ?? true)
}
