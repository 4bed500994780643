/** The small parts of the player: times, thumbnails, cues, sliders, touch, engines, capabilities, and stored preferences. */
import t from 'tap'
import { capabilitiesOf, type Probe } from '../../../web/player/capabilities.ts'
import { cueLines, cueText, isAtTop } from '../../../web/player/cues.ts'
import { backOffMs, engineOrder, suitsFile, supportOf } from '../../../web/player/engine.ts'
import { loadDevice, readDevice, storeDevice } from '../../../web/player/look.ts'
import { createSliding, slideTo } from '../../../web/player/sliding.ts'
import { deviceName } from '../../../web/player/start.ts'
import { meaningOf } from '../../../web/player/taps.ts'
import { createThumbnails, planUrl, thumbnailAt, type ThumbnailPlan } from '../../../web/player/thumbnails.ts'
import { bufferedAhead, chapterAt, clockTime, timeParts } from '../../../web/player/times.ts'
import { playlistsFor, segmentAt } from '../../../web/player/warm-up.ts'

t.test('positions are written as clocks', (t) => {
  t.strictSame([0, 59.9, 2530, 7083, Number.NaN, -3].map(clockTime), ['0:00', '0:59', '42:10', '1:58:03', '0:00', '0:00'])
  t.strictSame(timeParts(7083.4), { hours: 1, minutes: 58, seconds: 3 })
  t.end()
})

t.test('what is buffered counts from the position, over no gap', (t) => {
  const ranges = [
    { start: 0, end: 10 },
    { start: 20, end: 30 },
  ]
  t.strictSame(
    [4, 15, 25, 30].map((at) => bufferedAhead(ranges, at)),
    [6, 0, 5, 0],
  )
  t.end()
})

t.test('a chapter begins at its start', (t) => {
  t.strictSame(
    [0, 9.9, 10, 99].map((at) => chapterAt([{ start: 1 }, { start: 10 }], at)),
    [-1, 0, 1, 1],
  )
  t.end()
})

const plan: ThumbnailPlan = {
  interval: 10,
  w: 320,
  h: 180,
  cols: 10,
  rows: 10,
  ptsList: Array.from({ length: 130 }, (_, n) => n * 10),
  urls: ['320-0.jpg?token=a', '320-1.jpg?token=a'],
}

t.test('a thumbnail is a place on a sheet, and the last one stands for the rest of the film', (t) => {
  t.strictSame(thumbnailAt(plan, 0), { url: '320-0.jpg?token=a', sheet: 0, x: 0, y: 0, w: 320, h: 180 })
  t.match(thumbnailAt(plan, 129.9), { sheet: 0, x: 2 * 320, y: 180 })
  t.match(thumbnailAt(plan, 1015), { sheet: 1, x: 320, y: 0 })
  t.match(thumbnailAt(plan, 5000), { sheet: 1, x: 9 * 320, y: 2 * 180 })
  t.equal(thumbnailAt({ ...plan, urls: [], ptsList: [] }, 3), undefined)
  t.end()
})

t.test('the plan is asked for once, when a thumbnail is wanted, and each sheet once with the one after it', async (t) => {
  const asked: string[] = []
  const read = async () => (asked.push('plan'), plan)
  const thumbnails = createThumbnails(
    { readPlan: read, fetchSheet: (url) => void asked.push(url), base: 'http://house/api/stream/s/trickplay/plan.json' },
    () => void asked.push('ready'),
  )
  t.strictSame(asked, [])
  t.equal(thumbnails.at(5), undefined)
  t.equal(thumbnails.at(5), undefined)
  await new Promise(setImmediate)
  thumbnails.at(5)
  thumbnails.at(15)
  const sheet = (n: number) => `http://house/api/stream/s/trickplay/320-${n}.jpg?token=a`
  t.strictSame(asked, ['plan', 'ready', sheet(0), sheet(1)])
  t.equal(planUrl('/api/stream/s/trickplay/thumbnails.vtt'), '/api/stream/s/trickplay/plan.json')
})

t.test('cues are text: tags give a style or nothing, and markup of films stays text', (t) => {
  const lines = cueLines('<v Bob>Hello <i>there</i>\n&lt;b&gt; &amp; <img src=x onerror=alert(1)>co</v>')
  t.strictSame(
    lines.map((line) => line.map(({ text, italic }) => [text, italic])),
    [
      [
        ['Hello ', false],
        ['there', true],
      ],
      [
        ['<b> & ', false],
        ['co', false],
      ],
    ],
  )
  t.equal(cueText('one\n<b>two</b>\n\n'), 'one two')
  t.equal(cueText('1 < 2'), '1 < 2')
  t.end()
})

t.test('a cue stands at the top if its line does', (t) => {
  t.strictSame(
    [
      { line: 'auto', snapToLines: true } as const,
      { line: 0, snapToLines: true },
      { line: -1, snapToLines: true },
      { line: 10, snapToLines: false },
      { line: 90, snapToLines: false },
    ].map(isAtTop),
    [false, true, false, true, false],
  )
  t.end()
})

function slidden() {
  const log: (number | string | undefined)[] = []
  let rest: (() => void) | undefined
  const timers = { set: (run: () => void) => (rest = run), clear: () => void (rest = undefined) }
  const sliding = createSliding(
    (to) => void log.push(`seek ${to}`),
    (at) => void log.push(at),
    timers,
  )
  return { log, sliding, rest: () => rest?.() }
}

t.test('sliding seeks when it is released, or has rested, and once for both', (t) => {
  const { log, sliding, rest } = slidden()
  sliding.move(10)
  sliding.move(20)
  rest()
  sliding.move(30)
  sliding.release()
  sliding.release()
  t.strictSame(log, [10, 20, 'seek 20', 30, 'seek 30', undefined, undefined])
  t.end()
})

t.test('sliding that is cancelled goes nowhere', (t) => {
  const { log, sliding, rest } = slidden()
  sliding.move(10)
  sliding.cancel()
  rest()
  sliding.release()
  t.strictSame(log, [10, undefined, undefined])
  t.end()
})

t.test('the keys of the slider move by five seconds and a minute, within the film', (t) => {
  t.strictSame(
    ['ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown', 'Home', 'End', 'x'].map((key) => slideTo(key, 62, 100)),
    [67, 57, 100, 2, 0, 100, undefined],
  )
  t.end()
})

t.test('two quick touches of one side jump, of the middle play or pause, and slow ones are single', (t) => {
  const after = (share: number, at: number, before: number) => meaningOf({ at, share }, { at: 0, share: before })
  t.equal(meaningOf({ at: 0, share: 0.1 }, undefined), 'wait')
  t.equal(after(0.1, 200, 0.2), 'back')
  t.equal(after(0.9, 200, 0.8), 'forward')
  t.equal(after(0.5, 200, 0.5), 'toggle')
  t.equal(after(0.9, 200, 0.1), 'wait')
  t.equal(after(0.1, 400, 0.1), 'wait')
  t.end()
})

const sound = { index: 0, language: null, codec: 'aac', channels: 2, default: true }
const direct = { decision: { method: 'direct' as const, reasons: [], rejected: [] }, audio: [sound] }
const auto = { quality: undefined, audio: undefined }

t.test('the file is played if the decision is direct, else hls.js, and native HLS only if there is nothing else', (t) => {
  const both = { mediaSource: true, nativeHls: true }
  t.strictSame(engineOrder(direct, auto, both), ['file', 'hls', 'native'])
  t.strictSame(engineOrder({ ...direct, decision: { ...direct.decision, method: 'remux' } }, auto, both), ['hls', 'native'])
  t.strictSame(engineOrder(direct, { quality: '720p', audio: undefined }, both), ['hls', 'native'])
  t.strictSame(engineOrder(direct, { quality: undefined, audio: 1 }, { mediaSource: false, nativeHls: true }), ['native'])
  t.end()
})

t.test('a file plays its default sound, whichever track that is, and a choice of another one needs HLS', (t) => {
  const second = {
    audio: [
      { ...sound, default: false },
      { ...sound, index: 1 },
    ],
  }
  t.strictSame(
    [0, 1, undefined].map((audio) => suitsFile(second, { quality: 'original', audio })),
    [false, true, true],
  )
  t.ok(suitsFile(direct, { quality: undefined, audio: 0 }))
  t.notOk(suitsFile(direct, { quality: '720p', audio: 0 }))
  t.ok(suitsFile({ audio: [] }, auto), 'a film without sound')
  t.end()
})

t.test('Managed Media Source counts, and "maybe" of canPlayType is the last resort', (t) => {
  const video = { canPlayType: () => 'maybe' as const }
  t.strictSame(supportOf(video, { ManagedMediaSource: () => undefined }), { mediaSource: true, nativeHls: true })
  t.strictSame(supportOf({ canPlayType: () => '' as const }, {}), { mediaSource: false, nativeHls: false })
  t.strictSame([0, 1, 2, 9].map(backOffMs), [1000, 2000, 4000, 8000])
  t.end()
})

const probe = (more: Partial<Probe> = {}): Probe => ({
  decodes: (type) => /avc1\.6400(2a|29|28|1f)|mp4a|opus|hvc1\.2\.4\.L153/.test(type),
  playsFile: (type) => type.startsWith('video/mp4'),
  showsHdr: false,
  screenLines: 1080,
  takesChannels: async (type, channels) => type.includes('mp4a') && channels <= 6,
  ...more,
})

t.test('capabilities are the highest level of each codec, with names as ffprobe prints them', async (t) => {
  t.strictSame(await capabilitiesOf(probe()), {
    containers: ['mp4', 'm4v'],
    video: [
      { codec: 'h264', bitDepth: 8, level: 4.2, hdr: [] },
      { codec: 'hevc', bitDepth: 10, level: 5.1, hdr: [] },
    ],
    audio: [
      { codec: 'aac', maxChannels: 6 },
      { codec: 'opus', maxChannels: 2 },
    ],
    maxHeight: 2160,
  })
})

t.test('HDR is claimed for ten bits on screens that show it, and a browser that says nothing plays H.264', async (t) => {
  t.match(await capabilitiesOf(probe({ showsHdr: true })), { video: [{ hdr: [] }, { hdr: ['hdr10', 'hlg'] }] })
  t.match(await capabilitiesOf(probe({ decodes: () => false, screenLines: 0 })), { video: [{ codec: 'h264' }], audio: [], maxHeight: null })
  t.match(await capabilitiesOf(probe({ screenLines: 400 })), { maxHeight: 1080 })
})

t.test('what the device keeps is read back, and nonsense is as usual', (t) => {
  const kept = new Map<string, string>()
  const store = () => ({
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  })
  const usual = readDevice(null)
  const chosen = { ...usual, volume: 0.4, quality: '720p', look: { ...usual.look, size: 'huge', readOut: true } } as const
  storeDevice(store, chosen)
  t.strictSame(loadDevice(store), chosen)
  t.strictSame(readDevice('{"volume":7,"look":{"size":"giant"},"quality":3}'), usual)
  t.strictSame(readDevice('not JSON'), usual)
  const none = () => {
    throw new Error('denied')
  }
  t.strictSame(loadDevice(none), usual)
  t.doesNotThrow(() => storeDevice(none, usual))
  t.end()
})

t.test('the device is called by its browser and its system', (t) => {
  t.equal(deviceName('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36'), 'Chrome on Linux')
  t.equal(deviceName('Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0'), 'Edge on Windows')
  t.equal(deviceName('curl'), 'Browser')
  t.end()
})

t.test('what a change of quality or sound needs is found in the playlists', (t) => {
  const master = [
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="a",URI="audio-0-aac/playlist.m3u8?token=x"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="b",URI="audio-1/playlist.m3u8?token=x"',
    '#EXT-X-STREAM-INF:BANDWIDTH=2',
    'original/playlist.m3u8?token=x',
    '#EXT-X-STREAM-INF:BANDWIDTH=1',
    '240p/playlist.m3u8?token=x',
  ].join('\n')
  t.strictSame(playlistsFor(master, { quality: '240p', audio: 1 }), ['240p/playlist.m3u8?token=x', 'audio-1/playlist.m3u8?token=x'])
  t.strictSame(playlistsFor(master, { quality: undefined, audio: undefined }), [
    'original/playlist.m3u8?token=x',
    'audio-0-aac/playlist.m3u8?token=x',
  ])
  const media = '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4.0,\nseg-0.m4s\n#EXTINF:4.0,\nseg-1.m4s\n#EXT-X-ENDLIST\n'
  t.strictSame(
    [0, 4.5, 99].map((at) => segmentAt(media, at)),
    ['seg-0.m4s', 'seg-1.m4s', 'seg-1.m4s'],
  )
  t.equal(segmentAt('', 3), undefined)
  t.end()
})
