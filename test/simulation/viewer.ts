/** Simulates the player of one login: starts sessions, sends heartbeats, seeks, requests its stream, ends; occasionally it falls silent. */
import type { RandomBelow } from '../fixtures/random-below.ts'
import { derivedId } from '../../src/events/derived-id.ts'
import type { SessionId } from '../../src/vocabulary/id.ts'
import type { Answer, ApiNodes, Work } from './api-nodes.ts'
import type { Expectations } from './expectations.ts'
import { MOVIE_MS, MOVIES, type Login } from './seed-log.ts'
import { fetchSegment, newViewing, type Viewing } from './segments.ts'
import { IDLE_SECONDS } from './api-node.ts'

export interface Play {
  readonly fixture: ApiNodes
  /** Random choices of this client. */
  readonly chance: RandomBelow
  readonly expectations: Expectations
  /** Whether the load is still on. */
  readonly isOn: () => boolean
  /** The rendition that each quality of a film has returned. */
  readonly forms: Map<string, string>
  readonly served: { segments: number }
}

export interface Watching {
  readonly login: Login
  readonly sessionId: SessionId
  /** Rises with each heartbeat and each seek, so that each has a unique position. */
  positionMs: number
  readonly movieId: string
  readonly viewing: Viewing
  over: boolean
}

const TRIES = 4
/** From this position on a film counts as watched. */
const LATE_MS = MOVIE_MS * 0.95

export async function watch(play: Play, login: Login): Promise<void> {
  const { fixture, isOn, chance } = play
  for (let count = 1; isOn(); count++) {
    await fixture.pause(chance(1500))
    const watching = isOn() ? await begin(play, login, `${login.loginId} ${count}`) : undefined
    if (watching) await goOn(play, watching)
  }
}

async function goOn(play: Play, watching: Watching): Promise<void> {
  const { fixture, isOn, chance } = play
  while (isOn() && !isOver(watching)) {
    await act(play, watching)
    const isAway = chance(12) === 0
    await fixture.pause(isAway ? 1000 * (IDLE_SECONDS - 1 + chance(3)) : 100 + chance(1200))
  }
}

const isOver = ({ over }: Watching) => over

async function begin({ fixture, expectations, chance }: Play, login: Login, seed: string): Promise<Watching | undefined> {
  const film = MOVIES[chance(MOVIES.length)]
  if (!film) return undefined
  const sessionId = derivedId('session', seed)
  const key = `start ${sessionId}`
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const answer = await fixture.ask({
      what: key,
      token: login.token,
      seed,
      work: ({ playback }, caller, origin) => playback.start(caller, { movieId: film.movieId }, origin),
    })
    // A session started beyond the limit has ended itself; a retry may get the first one's session.
    if (answer.type !== 'refused') expectations.command(key, answer)
    expectations.started(answer, sessionId)
    if (answer.type === 'done') {
      expectations.served(answer.asked, login, sessionId)
      return { login, sessionId, movieId: film.movieId, positionMs: 1000, viewing: newViewing(chance), over: false }
    }
    if (answer.type === 'refused' && answer.why !== 'unavailable') return undefined
    await fixture.pause(500)
  }
  return undefined
}

async function act(play: Play, watching: Watching): Promise<void> {
  const dice = play.chance(100)
  if (dice < 40) await beat(play, watching, dice < 8 ? LATE_MS : 0)
  else if (dice < 48) await seek(play, watching)
  else if (dice < 90) conclude(play, watching, await fetchSegment(play, watching))
  else if (dice < 95) await look(play, watching)
  else await end(play, watching)
}

function conclude({ expectations }: Play, watching: Watching, answer: Answer<unknown>): void {
  if (answer.type === 'done') expectations.served(answer.asked, watching.login, watching.sessionId)
  if (answer.type === 'refused' && answer.why !== 'unavailable') watching.over = true
}

async function beat(play: Play, watching: Watching, fromMs: number): Promise<void> {
  const { login, sessionId } = watching
  const positionMs = fromMs + ++watching.positionMs
  const key = `beat ${sessionId} ${positionMs}`
  const work: Work<unknown> = ({ playback }, caller, origin) => playback.heartbeat(caller, sessionId, { positionMs }, origin)
  const answer = await play.fixture.ask({ what: key, token: login.token, work })
  play.expectations.command(key, answer)
  if (answer.type === 'done' && fromMs > 0) play.expectations.command(`complete ${sessionId}`, answer)
  conclude(play, watching, answer)
}

async function seek(play: Play, watching: Watching): Promise<void> {
  const { login, sessionId } = watching
  const positionMs = ++watching.positionMs
  const key = `seek ${sessionId} ${positionMs}`
  const work: Work<unknown> = ({ playback }, caller, origin) => playback.seek(caller, sessionId, positionMs, origin)
  const answer = await play.fixture.ask({ what: key, token: login.token, work })
  play.expectations.command(key, answer)
  conclude(play, watching, answer)
  if (answer.type === 'done') await mustShow(play, watching, positionMs)
}

/** Whichever node answers next must show every acknowledged command. */
async function mustShow({ fixture }: Play, { login, sessionId }: Watching, positionMs: number): Promise<void> {
  const node = fixture.wellNode()
  if (!node || !fixture.allWell()) return
  const answer = await fixture.askAt(node, {
    what: `look for ${positionMs}`,
    token: login.token,
    work: async ({ playback }, caller) => playback.get(caller, sessionId),
  })
  if (answer.type !== 'done' || !answer.asked.well || !fixture.allWell()) return
  const { positionMs: shown } = answer.value.session
  if (shown < positionMs) fixture.world.fail(`${node.host.name} shows ${shown} of ${sessionId}, not ${positionMs}`)
}

async function look(play: Play, watching: Watching): Promise<void> {
  const { login, sessionId } = watching
  const answer = await play.fixture.ask({
    what: `get ${sessionId}`,
    token: login.token,
    work: ({ playback }, caller) => playback.get(caller, sessionId),
  })
  conclude(play, watching, answer)
}

async function end(play: Play, watching: Watching): Promise<void> {
  const { login, sessionId } = watching
  const key = `end ${sessionId}`
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const answer = await play.fixture.ask({
      what: key,
      token: login.token,
      work: ({ playback }, caller, origin) => playback.end(caller, sessionId, origin),
    })
    // A session that an earlier attempt has ended is not found.
    if (answer.type !== 'refused') play.expectations.command(key, answer)
    if (answer.type === 'done' || (answer.type === 'refused' && answer.why !== 'unavailable')) break
    await play.fixture.pause(400)
  }
  watching.over = true
}
