/** Simulates a user who marks films, as watched and for later, retries until each mark is acknowledged, and checks that it is visible. */
import type { MovieId } from '../../src/vocabulary/id.ts'
import type { Answer, Work } from './api-nodes.ts'
import { MOVIES, type Login } from './seed-log.ts'
import type { Play } from './viewer.ts'

interface Saying {
  readonly what: string
  readonly said: boolean
  readonly work: Work<unknown>
}

const TRIES = 12

/** Films that no other client of this user marks. */
export async function mark(play: Play, login: Login): Promise<void> {
  const { fixture, expectations, isOn, chance } = play
  const film = MOVIES[chance(MOVIES.length)]
  if (!film) return
  const { movieId } = film
  let positionMs = 100_000
  for (let said = true; isOn(); said = !said) {
    await fixture.pause(200 + chance(3000))
    const { key, ...saying } = chance(2) === 0 ? watchedOf(login, movieId, said) : listedOf(login, movieId, said)
    const answer = await insist(play, login, saying)
    if (answer?.type === 'refused') return
    if (!answer) continue
    expectations.saying(key, said, answer)
    expectations.served(answer.asked, login)
    await mustShow(play, login, { movieId, key, said })
    await setPoint(play, login, { movieId, positionMs: ++positionMs })
  }
}

const watchedOf = ({ userId }: Login, movieId: MovieId, said: boolean) => ({
  key: `watched ${userId} ${movieId}`,
  what: `watched ${movieId} ${said}`,
  said,
  work: (({ movieMarks }, caller, origin) =>
    said
      ? movieMarks.markWatched(caller, movieId, undefined, origin)
      : movieMarks.markUnwatched(caller, movieId, origin)) satisfies Work<unknown>,
})

const listedOf = ({ userId }: Login, movieId: MovieId, said: boolean) => ({
  key: `listed ${userId} ${movieId}`,
  what: `listed ${movieId} ${said}`,
  said,
  work: (({ movieMarks }, caller, origin) => movieMarks.setWatchlisted(caller, movieId, said, origin)) satisfies Work<unknown>,
})

/** Retries until it is acknowledged or rejected; undefined: neither. */
async function insist({ fixture }: Play, login: Login, { what, work }: Saying): Promise<Answer<unknown> | undefined> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const answer = await fixture.ask({ what, token: login.token, work })
    if (answer.type === 'done' || (answer.type === 'refused' && answer.why !== 'unavailable')) return answer
    if (answer.type === 'silent') await answer.over
    await fixture.pause(400)
  }
  return undefined
}

interface Mark {
  readonly movieId: MovieId
  readonly key: string
  readonly said: boolean
}

async function mustShow({ fixture, expectations }: Play, { token }: Login, { movieId, key, said }: Mark): Promise<void> {
  const node = fixture.wellNode()
  if (!node || !fixture.allWell()) return
  const answer = await fixture.askAt(node, { what: `look for ${key}`, token, work: ({ movies }, caller) => movies.get(caller, movieId) })
  if (answer.type !== 'done' || !fixture.allWell()) return
  const { own } = answer.value
  const shown = key.startsWith('watched') ? own?.watched === true : (own?.watchlistAt ?? null) !== null
  if (shown !== said && expectations.isSaid(key, said)) fixture.world.fail(`${node.host.name} shows ${key} as ${shown}`)
}

async function setPoint(
  { fixture, expectations }: Play,
  login: Login,
  { movieId, positionMs }: { movieId: MovieId; positionMs: number },
): Promise<void> {
  const key = `resume ${login.userId} ${movieId} ${positionMs}`
  const work: Work<unknown> = ({ movieMarks }, caller, origin) => movieMarks.setResumePoint(caller, movieId, positionMs, origin)
  expectations.command(key, await fixture.ask({ what: key, token: login.token, work }))
}
