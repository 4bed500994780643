import t from 'tap'
import { burnableKind, burnInOf } from '../../../src/domain/streaming/burn-in.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { audioOf, mediaOf, subtitlesOf, videoOf } from '../../fixtures/movie-facts.ts'

const media = mediaOf(60_000, {
  video: [videoOf(1920, 800)],
  audio: [
    { ...audioOf('en'), stream: 1, bitrateBps: 640_000 },
    { ...audioOf('de'), stream: 2, bitrateBps: 128_000 },
  ],
})
const keysOf = (burnt?: { readonly key: string; readonly stream: number | null }) =>
  planStreams(media, undefined, { burnt }).video.map(({ key }) => key)

t.test('bitmaps in a film, and text anywhere, can be drawn', async (t) => {
  const kinds = ['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub', 'ass', 'ssa', 'subrip', 'webvtt', 'mov_text', 'eia_608']
  t.strictSame(
    kinds.map((codec) => burnableKind({ ...subtitlesOf('en'), stream: 3, path: null, codec })),
    ['bitmap', 'bitmap', 'bitmap', 'bitmap', 'styled', 'styled', 'text', 'text', 'text', undefined],
  )
  t.equal(burnableKind({ ...subtitlesOf('en', '/films/one.en.srt'), stream: null, codec: 'subrip' }), 'text')
  t.equal(burnableKind({ ...subtitlesOf('en', '/films/one.sup'), stream: null, codec: 'hdmv_pgs_subtitle' }), undefined)
})

t.test('each subtitle has renditions of its own, shared by those who have the same', async (t) => {
  const all = [undefined, { key: 'sub3', stream: 3 }, { key: 'sub4', stream: null }, { key: 'sub9-0123456789abcdef', stream: null }].map(
    keysOf,
  )
  t.equal(new Set(all.flat()).size, all.flat().length)
  t.strictSame(keysOf({ key: 'sub3', stream: 3 }), keysOf({ key: 'sub3', stream: 3 }))
  for (const key of all.flat()) t.match(key, /^[A-Za-z0-9-]+$/)
})

t.test('the smallest audio track shows how far the film was read, else its video', async (t) => {
  const [track] = media.video
  if (!track) return t.fail()
  const burnt = { key: 'sub3', stream: 3 }
  t.match(burnInOf(burnt, media, track), { type: 'bitmap', stream: 3, clock: { type: 'audio', stream: 2 }, width: 1920, height: 800 })
  t.match(burnInOf(burnt, { ...media, audio: [] }, track), { clock: { type: 'video', stream: track.stream } })
  t.match(burnInOf(burnt, media, { ...track, rotation: 90 }), { width: 800, height: 1920 })
  return undefined
})

t.test('colours are mixed as the film says, or as is usual for its size', async (t) => {
  const matrixOf = (width: number, height: number, colorSpace: string | null) => {
    const burnIn = burnInOf({ key: 'sub3', stream: 3 }, media, { ...videoOf(width, height), colorSpace })
    return burnIn.type === 'bitmap' && burnIn.matrix
  }
  t.strictSame(
    [matrixOf(1920, 800, null), matrixOf(720, 576, null), matrixOf(720, 576, 'bt709'), matrixOf(1280, 720, 'smpte170m')],
    ['bt709', 'bt601', 'bt709', 'bt601'],
  )
})
