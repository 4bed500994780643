import t from 'tap'
import { imagePlaylist, planDocument, thumbnailsVtt, withImages } from '../../../src/domain/streaming/trickplay-playlists.ts'
import type { TrickplayPlan } from '../../../src/vocabulary/trickplay.ts'

const TOKEN = 'user:session:1767369600:0f'

/** Sheets of 2 x 2, so that a few thumbnails fill several. */
const plan: TrickplayPlan = {
  intervalMs: 10_000,
  width: 320,
  height: 180,
  columns: 2,
  rows: 2,
  durationMs: 61_234.5,
  ptsMs: [0, 9_967, 20_000, 30_000, 40_040.4, 50_000],
  sheetBytes: [40_000, 30_000],
}

t.test('the WebVTT has a cue for each thumbnail, and the last one lasts to the end', async (t) => {
  t.equal(
    thumbnailsVtt(plan, TOKEN),
    `WEBVTT

00:00:00.000 --> 00:00:10.000
320-0.jpg?token=${TOKEN}#xywh=0,0,320,180

00:00:10.000 --> 00:00:20.000
320-0.jpg?token=${TOKEN}#xywh=320,0,320,180

00:00:20.000 --> 00:00:30.000
320-0.jpg?token=${TOKEN}#xywh=0,180,320,180

00:00:30.000 --> 00:00:40.000
320-0.jpg?token=${TOKEN}#xywh=320,180,320,180

00:00:40.000 --> 00:00:50.000
320-1.jpg?token=${TOKEN}#xywh=0,0,320,180

00:00:50.000 --> 00:01:01.235
320-1.jpg?token=${TOKEN}#xywh=320,0,320,180
`,
  )
})

t.test('hours are counted', async (t) => {
  const long = { ...plan, durationMs: 3_615_000, ptsMs: Array.from({ length: 361 }, (_, n) => n * 10_000) }
  t.match(thumbnailsVtt(long, TOKEN), /\n00:59:50\.000 --> 01:00:00\.000\n[^\n]+\n\n01:00:00\.000 --> 01:00:15\.000\n320-90\.jpg/)
})

t.test('the plan contains the time of each thumbnail, in seconds', async (t) => {
  t.strictSame(planDocument(plan, TOKEN), {
    interval: 10,
    duration: 61.235,
    w: 320,
    h: 180,
    cols: 2,
    rows: 2,
    sheets: 2,
    ptsList: [0, 9.967, 20, 30, 40.04, 50],
    urls: [`320-0.jpg?token=${TOKEN}`, `320-1.jpg?token=${TOKEN}`],
  })
})

t.test('the image playlist is what Roku and Shaka read', async (t) => {
  t.equal(
    imagePlaylist(plan, TOKEN),
    `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:40
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-IMAGES-ONLY
#EXTINF:40.000,
#EXT-X-TILES:RESOLUTION=320x180,LAYOUT=2x2,DURATION=10
320-0.jpg?token=${TOKEN}
#EXTINF:21.235,
#EXT-X-TILES:RESOLUTION=320x180,LAYOUT=2x2,DURATION=10
320-1.jpg?token=${TOKEN}
#EXT-X-ENDLIST
`,
  )
})

t.test('the master playlist names the image playlist last, at the rate of its heaviest sheet', async (t) => {
  t.equal(
    withImages('#EXTM3U\n', plan, TOKEN),
    `#EXTM3U\n#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=11303,RESOLUTION=320x180,CODECS="jpeg",URI="trickplay/320.m3u8?token=${TOKEN}"\n`,
  )
})
