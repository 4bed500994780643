/** From one session to the next: the first of a film, one in the place of one that is lost, and one with other wishes. */
import type { Session } from './engine.ts'
import { preferences, preferencesQuery } from '../data/preferences.ts'
import { homeQuery, movieQuery, type Home } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'
import { sessionRequests } from './requests.ts'
import type { SessionReport } from './session.ts'
import type { Source } from './source.ts'
import { startPatiently, type Wish } from './start.ts'
import type { PlayerState } from './state.ts'
import { chooseAudio, chooseSubtitle, soundOf, subtitleOptions } from './tracks.ts'
import { warmUp } from './warm-up.ts'

export interface FlowOptions {
  readonly first: Wish
  /** Where it begins, seconds; undefined: where the person was. */
  readonly begun: number | undefined
  readonly state: PlayerState
  readonly source: Source
  readonly report: SessionReport
  readonly life: AbortSignal
  /** The server knows none of our sessions: twice in a row is no accident. */
  readonly onGone: () => void
}

export interface Flow {
  begin(): void
  /** Ends the session, and begins another one elsewhere in the film: it plays. */
  restart(at: number): void
  /** A new session at the position, which plays or not as before. */
  resume(): void
  /** The same once more after it failed. */
  retry(): void
  /** The same with other wishes: what is shown goes on until the new session can be. */
  change(wish: Partial<Wish>): void
  /** The server does not know the session any more. */
  lost(): void
  /** The server knows it. */
  known(): void
  /** Nothing begins any more by itself. */
  cancel(): void
  /** Pauses the film, also if more of it is buffered: `over` says why. */
  halt(): void
}

/** Where the person was. Home knows it without a request. */
async function knownPosition(movieId: string): Promise<number | undefined> {
  const home = queryClient.getQueryState<Home>(homeQuery.queryKey)
  const row = home?.isInvalidated === false ? home.data?.continueWatching : undefined
  const entry = row?.find((each) => each.movieId === movieId)
  const movie = entry ?? (await queryClient.fetchQuery(movieQuery(movieId)).catch(() => undefined))
  return movie?.position
}

/** A film that was left this near to its end starts over. */
const KEPT_END_S = 2
/** Why a session is gone may come a moment after its streams are cut: a person who was stopped must not begin again. */
const BEFORE_NEXT_MS = 1500

export function createFlow({ first, begun, state, source, report, life, onGone }: FlowOptions): Flow {
  const own = { wish: first, starts: 0, losses: 0, timer: 0 }
  const loaded = queryClient.prefetchQuery(preferencesQuery)

  /** Undefined if there is none, or another start has overtaken this one: then its session is ended. */
  async function start(wish: Wish, at: number | undefined): Promise<Session | undefined> {
    own.starts += 1
    own.wish = wish
    const number = own.starts
    const [quality, audioIndex] = [state.quality.value, state.audio.value]
    const more = {
      ...(at === undefined ? {} : { startPosition: at }),
      ...(quality === undefined ? {} : { quality }),
      ...(audioIndex === undefined ? {} : { audioIndex }),
    }
    const session = await startPatiently({ ...wish, ...more }, state, life)
    if (number === own.starts && !life.aborted) return session
    if (session) sessionRequests.end(session.id, undefined)
    return undefined
  }

  function halt(): void {
    state.paused.value = true
    state.waiting.value = false
    source.stop()
  }

  async function play(wish: Wish, at: number | undefined, plays: boolean): Promise<void> {
    state.over.value = undefined
    state.waiting.value = true
    // A viewing begins where its session does: the history would take a jump there for a part that was played.
    const session = await start(wish, at ?? (state.session.value === undefined ? await knownPosition(wish.movieId) : state.position.value))
    if (!session) {
      if (state.over.value !== undefined) halt()
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
      if (state.over.value === undefined) return
      if (state.over.value.type !== 'limit') return halt()
      report.end()
      return play(wish, state.position.value, !state.paused.value)
    }
    // Twice: by the time that the first segment is made, the film may have come to the next one.
    for (let times = 0; times < 2; times += 1)
      await warmUp(session, { quality: state.quality.value, audio: state.audio.value }, state.position.value)
    if (own.wish !== wish || life.aborted) return sessionRequests.end(session.id, undefined)
    report.end()
    state.session.value = session
    report.follow(session.id)
    source.begin(state.position.value, !state.paused.value)
  }

  async function chooseTracks(session: Session): Promise<void> {
    await loaded
    const choices = preferences()
    state.audio.value = chooseAudio(session.audio, choices)
    const spoken = session.audio[soundOf(session, state.audio.value)]?.language
    state.subtitle.value = chooseSubtitle(subtitleOptions(session), { choices, spoken, own: navigator.languages })
  }

  return {
    begin: () => void play(own.wish, begun, true),
    retry() {
      report.end()
      void play(own.wish, state.session.value ? state.position.value : begun, true)
    },
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
      else own.timer = window.setTimeout(() => !life.aborted && void play(own.wish, undefined, !state.paused.value), BEFORE_NEXT_MS)
    },
    known: () => void (own.losses = 0),
    halt,
    cancel() {
      own.starts += 1
      clearTimeout(own.timer)
    },
  }
}
