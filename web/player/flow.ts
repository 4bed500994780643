/** From one session to the next: the first of a film, one in the place of one that is lost, and one with other wishes. */
import type { Session } from './engine.ts'
import { loadLanguages, sessionRequests } from './requests.ts'
import type { SessionReport } from './session.ts'
import type { Source } from './source.ts'
import { startPatiently, type Wish } from './start.ts'
import type { PlayerState } from './state.ts'
import { chooseSound, chooseSubtitle, subtitleOptions } from './tracks.ts'
import { warmUp } from './warm-up.ts'

export interface FlowOptions {
  readonly movieId: string
  readonly state: PlayerState
  readonly source: Source
  readonly report: SessionReport
  readonly life: AbortSignal
  /** The server knows none of our sessions: twice in a row is no accident. */
  readonly onGone: () => void
}

export interface Flow {
  /** Seconds; undefined: where the person was. */
  begin(at: number | undefined): void
  /** Ends the session, and begins another one elsewhere in the film: it plays. */
  restart(at: number): void
  /** A new session at the position, which plays or not as before. */
  resume(): void
  /** The same with other wishes: what is shown goes on until the new session can be. */
  change(wish: Partial<Wish>): void
  /** The server does not know the session any more. */
  lost(): void
  /** The server knows it. */
  known(): void
}

/** A film that was left this near to its end begins anew. */
const KEPT_END_S = 2

export function createFlow({ movieId, state, source, report, life, onGone }: FlowOptions): Flow {
  const own = { wish: { movieId } as Wish, starts: 0, losses: 0 }
  const languages = loadLanguages()

  /** Undefined if there is none, or another start has overtaken this one: then its session is ended. */
  async function start(wish: Wish, at: number | undefined): Promise<Session | undefined> {
    own.starts += 1
    own.wish = wish
    const number = own.starts
    const quality = state.quality.value
    const more = { ...(at === undefined ? {} : { startPosition: at }), ...(quality === undefined ? {} : { quality }) }
    const session = await startPatiently({ ...wish, ...more }, state, life)
    if (number === own.starts && !life.aborted) return session
    if (session) sessionRequests.end(session.id, undefined)
    return undefined
  }

  async function play(wish: Wish, at: number | undefined, plays: boolean): Promise<void> {
    state.over.value = undefined
    state.waiting.value = true
    const session = await start(wish, at)
    if (!session) {
      if (state.over.value !== undefined) state.waiting.value = false
      return
    }
    const isFirst = state.session.value === undefined
    state.session.value = session
    if (isFirst) await chooseTracks(session)
    report.follow(session.id)
    // What is buffered of a lost session has been played meanwhile.
    const from = at ?? (isFirst ? (session.resumePosition ?? 0) : state.position.value)
    source.begin(from < session.duration - KEPT_END_S ? from : 0, plays)
  }

  /** Both sessions live for a moment; where the account may not have two, the old one ends first. */
  async function exchange(wish: Wish): Promise<void> {
    const session = await start(wish, state.position.value)
    if (!session) {
      if (state.over.value?.type !== 'limit') return
      report.end()
      return play(wish, state.position.value, !state.paused.value)
    }
    await warmUp(session, { quality: state.quality.value, sound: state.sound.value }, state.position.value)
    if (own.wish !== wish || life.aborted) return sessionRequests.end(session.id, undefined)
    report.end()
    state.session.value = session
    report.follow(session.id)
    source.begin(state.position.value, !state.paused.value)
  }

  async function chooseTracks(session: Session): Promise<void> {
    const choices = await languages
    state.languages.value = choices
    state.sound.value = chooseSound(session.audio, { choices, original: state.movie.value?.languages[0] })
    const spoken = session.audio[state.sound.value ?? 0]?.language
    state.subtitle.value = chooseSubtitle(subtitleOptions(session), { choices, spoken, own: navigator.languages })
  }

  return {
    begin: (at) => void play(own.wish, at, true),
    restart(at) {
      report.end()
      void play(own.wish, at, true)
    },
    resume() {
      report.end()
      void play(own.wish, undefined, !state.paused.value)
    },
    change: (wish) => void exchange({ ...own.wish, ...wish }),
    lost() {
      own.losses += 1
      if (own.losses > 1) onGone()
      else void play(own.wish, undefined, !state.paused.value)
    },
    known: () => void (own.losses = 0),
  }
}
