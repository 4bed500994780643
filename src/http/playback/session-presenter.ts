/** Presents playback sessions to players. */
import type {
  ActiveSession,
  SessionAfterHeartbeat,
  ContinueItem,
  PlayableSession,
  SubtitleEntry,
} from '../../app/playback/playback-types.ts'
import { HEARTBEAT_SECONDS, idleAtMs } from '../../domain/playback/playback.ts'
import type { ActiveSessionBody, ContinueItemBody, HeartbeatAnswerBody, SessionBody } from './playback-schemas.ts'
import { presentSummaryAs } from '../movies/movie-presenter.ts'
import type { SummaryView } from '../movies/movie-schemas.ts'
import { percent, seconds, secondsOrNull, time } from '../server/values-presenter.ts'

export interface IssuedToken {
  readonly token: string
  readonly expiresAt: string
}

function sessionMembers({
  session,
  problem,
  resumePositionMs,
  decision,
  qualities,
  subtitles,
  burnable,
  audio,
  chapters,
  hasTrickplay,
  audioGainDb,
}: PlayableSession) {
  const base = `/api/stream/${session.id}`
  return {
    id: session.id,
    sessionId: session.id,
    userId: session.userId,
    movieId: session.movieId,
    fileId: session.fileId,
    state: 'active' as const,
    playState: session.playState,
    position: seconds(session.positionMs),
    duration: seconds(session.durationMs),
    resumePosition: secondsOrNull(resumePositionMs),
    masterPlaylistUrl: `${base}/master.m3u8`,
    fileUrl: `${base}/file`,
    trickplayUrl: hasTrickplay ? `${base}/trickplay/thumbnails.vtt` : null,
    decision: { method: decision.method, reasons: [...decision.reasons], rejected: decision.rejected.map(presentRejected) },
    qualities: qualities.map(({ name, height, bitrateBps, method }) => ({ name, height, bitrate: bitrateBps, method })),
    subtitles: subtitles.map((entry) => ({ ...presentSubtitle(entry), url: `${base}/subtitles/${entry.index}.vtt` })),
    burnable: burnable.map((entry) => ({ ...presentSubtitle(entry), kind: entry.kind })),
    burnIn: session.burnIn ?? null,
    audio: audio.map((track, index) => ({ index, ...track })),
    chapters: chapters.map(({ startMs, title }) => ({ start: seconds(startMs), title })),
    audioGain: audioGainDb,
    problem,
    heartbeatIntervalSeconds: HEARTBEAT_SECONDS,
    expiresAt: time(idleAtMs(session)),
    createdAt: session.createdAt,
  }
}

const presentSubtitle = ({ index, language, title, forced, default: standard }: SubtitleEntry) => ({
  index,
  language,
  title,
  forced,
  default: standard,
})

const presentRejected = ({ method, reasons }: PlayableSession['decision']['rejected'][number]) => ({ method, reasons: [...reasons] })

export function presentSession(playable: PlayableSession, { token, expiresAt }: IssuedToken): SessionBody {
  return { ...sessionMembers(playable), streamToken: token, streamTokenExpiresAt: expiresAt }
}

export const presentActiveAs =
  (view?: SummaryView) =>
  (active: ActiveSession): ActiveSessionBody => ({
    ...sessionMembers(active),
    user: { id: active.user.id, name: active.user.name },
    device: active.device,
    movie: presentSummaryAs(view)(active.movie),
  })

export function presentHeartbeat({ session, problem, commands }: SessionAfterHeartbeat, fresh: IssuedToken | null): HeartbeatAnswerBody {
  return {
    sessionId: session.id,
    state: 'active',
    playState: session.playState,
    position: seconds(session.positionMs),
    expiresAt: time(idleAtMs(session)),
    streamToken: fresh?.token ?? null,
    streamTokenExpiresAt: fresh?.expiresAt ?? null,
    problem,
    commands: commands.map(({ id, command, message }) => ({ id, command, message })),
  }
}

export const presentContinueItemAs =
  (view?: SummaryView) =>
  (item: ContinueItem): ContinueItemBody => {
    const { fileId, positionMs, durationMs } = item.point
    return {
      movieId: item.movie.id,
      movie: presentSummaryAs(view)(item),
      fileId,
      position: seconds(positionMs),
      duration: seconds(durationMs),
      percent: percent(positionMs, durationMs),
      updatedAt: item.own.resume?.at ?? item.movie.updatedAt,
      device: item.device,
    }
  }
