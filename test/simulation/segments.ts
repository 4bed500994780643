/** Simulates a player's stream: requests one segment after another of one rendition, from any node. */
import { isRefusal } from '../../src/domain/refusal.ts'
import { parseQuality } from '../../src/domain/streaming/stream-name.ts'
import type { RandomBelow } from '../fixtures/random-below.ts'
import { faultOf } from './agent.ts'
import type { Answer, Work } from './api-nodes.ts'
import type { Play, Watching } from './viewer.ts'

/** A player gives up after nine seconds without a byte. */
const ANSWER_MS = 9000
const FORMS = ['original', '720p', 'audio-0', '480p']
const LAST_SEGMENT = 140

export interface Viewing {
  readonly form: string
  segment: number
}

export const newViewing = (chance: RandomBelow): Viewing => ({
  form: FORMS[chance(FORMS.length)] ?? 'original',
  segment: chance(LAST_SEGMENT - 20),
})

/** Requests the next segment, or another one. A client that has left cancels its request. */
export async function fetchSegment(play: Play, watching: Watching): Promise<Answer<unknown>> {
  const { fixture, forms, chance } = play
  const { login, sessionId, viewing } = watching
  if (chance(10) === 0) viewing.segment = chance(LAST_SEGMENT)
  const { form, segment } = viewing
  const gone = new AbortController()
  if (chance(15) === 0) fixture.world.later(chance(2000), null, 'the client has gone', () => gone.abort(new Gone('The client has gone')))
  const work: Work<Uint8Array | 'later'> = async ({ streamAccess, streams }) => {
    const quality = parseQuality(form)
    const grant = await streamAccess.authorize(login.token, sessionId)
    if (isRefusal(grant) || !quality) return isRefusal(grant) ? grant : 'later'
    const made = await streams.segment({ ...grant, token: '', signal: gone.signal }, quality, segment)
    return made && !('unavailable' in made) ? made : 'later'
  }
  const answer = await fixture.ask({
    what: `segment ${segment} of ${form} for ${sessionId}`,
    token: login.token,
    work,
    withinMs: ANSWER_MS,
  })
  if (answer.type !== 'done' || answer.value === 'later') return answer
  const fault = faultOf(forms, { form: `${watching.movieId} ${form}`, segment }, answer.value)
  if (fault !== undefined) fixture.world.fail(`${answer.asked.node.host.name} gave ${fault}`)
  play.served.segments++
  viewing.segment = Math.min(LAST_SEGMENT, segment + 1)
  return answer
}

class Gone extends Error {
  readonly code = 'client-gone'
}
