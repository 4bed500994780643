import t from 'tap'
import { pieceCount, subtitlePiece } from '../../../src/domain/subtitles/subtitle-segments.ts'

const cue = (startMs: number, endMs: number, text: string) => ({ startMs, endMs, settings: '', text })
const cues = [
  cue(1_000, 2_000, 'first'),
  cue(59_000, 61_000, 'across'),
  cue(119_000, 120_000, 'to the edge'),
  cue(120_000, 121_000, 'third'),
]

t.test('a piece holds the cues of its minute, and those that span its edges', async (t) => {
  const texts = [0, 1, 2].map((piece) =>
    ['first', 'across', 'to the edge', 'third'].filter((text) => subtitlePiece(cues, piece).includes(text)),
  )
  t.strictSame(texts, [['first', 'across'], ['across', 'to the edge'], ['third']])
})

t.test('every piece says that its zero is the zero of the film', async (t) => {
  t.match(subtitlePiece(cues, 1), /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00\.000\n/)
  t.match(subtitlePiece([], 0), /^WEBVTT\nX-TIMESTAMP-MAP=/)
})

t.test('there is a piece for each minute begun, and always one', async (t) => {
  t.strictSame([0, 5_000, 60_000, 60_001].map(pieceCount), [1, 1, 1, 2])
})
