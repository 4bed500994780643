/** Rules for subtitles as playlists of WebVTT segments. */
import { unless, type Rule } from './rule.ts'
import type { ServedSubtitle } from './served.ts'

const CUE = /^(?:(\d+):)?(\d\d):(\d\d)\.(\d{3}) --> (?:(\d+):)?(\d\d):(\d\d)\.(\d{3})/gm

interface Cue {
  readonly start: number
  readonly end: number
}

export const cuesOf = (piece: string): readonly Cue[] =>
  [...piece.matchAll(CUE)].map(([, ...parts]) => {
    const [h1 = 0, m1 = 0, s1 = 0, ms1 = 0, h2 = 0, m2 = 0, s2 = 0, ms2 = 0] = parts.map((part) => Number(part ?? 0))
    return { start: h1 * 3600 + m1 * 60 + s1 + ms1 / 1000, end: h2 * 3600 + m2 * 60 + s2 + ms2 / 1000 }
  })

export const SUBTITLE_RULES: readonly Rule<ServedSubtitle>[] = [
  {
    source: 'Apple 5.3',
    says: 'each piece is WebVTT with an X-TIMESTAMP-MAP in its header, whose zero is the fragmented MP4 zero',
    check: ({ pieces }) =>
      pieces.flatMap((piece, index) =>
        unless(
          /^WEBVTT\nX-TIMESTAMP-MAP=(?=.*MPEGTS:0\b)(?=.*LOCAL:00:00:00\.000)[^\n]*\n\n?/.test(piece),
          `piece ${index}: ${piece.slice(0, 60)}`,
        ),
      ),
  },
  {
    source: 'RFC 8216, 3.5',
    says: 'a piece has the cues that are shown within its time, and those only',
    check: ({ playlist, pieces }) => {
      let from = 0
      return pieces.flatMap((piece, index) => {
        const to = from + (playlist.segments[index]?.seconds ?? 0)
        const stray = cuesOf(piece).filter(({ start, end }) => start >= to || end <= from || end <= start)
        from = to
        return stray.map(({ start, end }) => `piece ${index}: ${start} to ${end}`)
      })
    },
  },
  {
    source: 'RFC 8216, 3.5',
    says: 'a cue that spans an edge is in both pieces',
    check: ({ playlist, pieces }) => {
      let edge = 0
      return pieces.flatMap((piece, index) => {
        edge += playlist.segments[index]?.seconds ?? 0
        const next = pieces[index + 1]
        const spanning = cuesOf(piece).filter(({ end }) => end > edge).length
        const again = next === undefined ? spanning : cuesOf(next).filter(({ start }) => start < edge).length
        return unless(spanning === again || next === undefined, `piece ${index}: ${spanning}, the next has ${again}`)
      })
    },
  },
]
