import t from 'tap'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import {
  iframePlaylist,
  masterPlaylist,
  mediaPlaylist,
  subtitlePlaylist,
  type SubtitleEntry,
} from '../../../src/domain/streaming/playlist.ts'
import { planStreams, type StreamPlan } from '../../../src/domain/streaming/plan.ts'
import { audio, mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const token = 'user:session:1767363845:0f'
const subtitle = (index: number, changes: Partial<SubtitleEntry> = {}): SubtitleEntry => ({
  index,
  language: 'en',
  title: null,
  forced: false,
  default: false,
  hearingImpaired: false,
  ...changes,
})

function attributes(line: string): Readonly<Record<string, string>> {
  const list = line.slice(line.indexOf(':') + 1)
  return Object.fromEntries([...list.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)(?:,|$)/g)].map((match) => [match[1], match[2]]))
}

/** Violations of RFC 8216's and Apple's rules for VOD playlists that we write. */
function problemsOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const target = Number(/#EXT-X-TARGETDURATION:(\d+)$/m.exec(text)?.[1])
  const lengths = [...text.matchAll(/^#EXTINF:(\d+\.\d{6}),$/gm)].map((match) => Number(match[1]))
  const once = [
    '#EXT-X-VERSION:7',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-ENDLIST',
    `#EXT-X-TARGETDURATION:${target}`,
  ]
  return [
    ...(lines[0] === '#EXTM3U' ? [] : ['no #EXTM3U']),
    ...(lines.at(-1) === '' && lines.at(-2) === '#EXT-X-ENDLIST' ? [] : ['does not end with its end']),
    ...once.filter((line) => lines.filter((one) => one === line).length !== 1),
    ...lengths.filter((seconds) => Math.round(seconds) > target || seconds <= 0).map((seconds) => `EXTINF ${seconds} of ${target}`),
    ...lines.flatMap((line, index) =>
      line.startsWith('#EXTINF') && !/^[^#\s]+$/.test(lines[index + 1] ?? '') ? [`no URI after line ${index}`] : [],
    ),
    ...lines.filter((line) => line !== '' && !line.startsWith('#') && !line.endsWith(`?token=${token}`)),
  ]
}

t.test('media playlists are complete, with lengths that add up to the film and one target for all', async (t) => {
  const plan = planStreams(
    mediaFile({ durationMs: 61_234 }),
    times({ keyframesMs: [0, 5_339, 17_500, 30_000, 47_000], videoEndMs: 61_200 }),
  )
  for (const { name, grid } of [...plan.video, ...plan.audio]) {
    const text = mediaPlaylist({ grid }, plan.targetSeconds, token)
    t.strictSame(problemsOf(text), [], name)
    t.match(text, `#EXT-X-MAP:URI="init.mp4?token=${token}"`)
    t.match(text, `#EXT-X-TARGETDURATION:17\n`)
    t.match(text, `\nseg-0.m4s?token=${token}\n`)
    const seconds = [...text.matchAll(/^#EXTINF:([\d.]+),/gm)].reduce((sum, match) => sum + Number(match[1]), 0)
    t.ok(Math.abs(seconds - 61.234) < 1e-6, `${name} lasts ${seconds}`)
  }
})

t.test('I-frame playlists are complete, with a frame for each segment, and lengths that add up to the film', async (t) => {
  const plan = planStreams(
    mediaFile({ durationMs: 61_234 }),
    times({ keyframesMs: [0, 5_339, 17_500, 30_000, 47_000], videoEndMs: 61_200 }),
  )
  for (const { name, grid } of plan.video) {
    const text = iframePlaylist(grid, plan.targetSeconds, token)
    t.strictSame(problemsOf(text), [], name)
    const lines = text.split('\n')
    t.equal(lines.filter((line) => line === '#EXT-X-I-FRAMES-ONLY').length, 1)
    t.match(text, `#EXT-X-MAP:URI="init.mp4?token=${token}"`)
    t.match(text, `#EXT-X-TARGETDURATION:17\n`)
    const lengths = (playlist: string) => [...playlist.matchAll(/^#EXTINF:([\d.]+),/gm)].map((match) => match[1])
    t.strictSame(lengths(text), lengths(mediaPlaylist({ grid }, plan.targetSeconds, token)))
    t.strictSame(
      lines.filter((line) => line !== '' && !line.startsWith('#')),
      lengths(text).map((_, segment) => `iframe-${segment}.m4s?token=${token}`),
    )
  }
})

t.test('the master names one I-frame playlist: that of the copy, else of the smallest video', async (t) => {
  const named = (plan: StreamPlan, codecs = new Map<string, string>()) =>
    masterPlaylist({ plan, subtitles: [], codecs, token })
      .split('\n')
      .filter((line) => line.startsWith('#EXT-X-I-FRAME-STREAM-INF:'))
      .map(attributes)
  const copied = planStreams(mediaFile(), times())
  t.strictSame(named(copied, new Map([['original', 'avc1.64002a']])), [
    {
      BANDWIDTH: String(Math.round(1.1 * copied.video[0]!.peakBitrateBps)),
      CODECS: '"avc1.64002a"',
      RESOLUTION: '1920x1080',
      'VIDEO-RANGE': 'SDR',
      URI: `"original/iframes.m3u8?token=${token}"`,
    },
  ])
  const made = planStreams(mediaFile({ video: [video({ codec: 'mpeg2video' })] }), times())
  const smallest = made.video.toSorted((a, b) => a.height - b.height)[0]!
  t.ok(made.video.length > 1 && smallest !== made.video[0])
  t.match(named(made), [{ CODECS: `"${smallest.codec}"`, URI: `"${smallest.name}/iframes.m3u8?token=${token}"` }])
  t.strictSame(named({ ...made, video: [] }), [])
})

/** For 31.25 and 46.875 frames per second, and half a segment. */
const [EC3_BOXES_BPS, AAC_BOXES_BPS] = [4_480, 6_480]

t.test('the master lists variants and renditions with all that players choose by', async (t) => {
  const plan = planStreams(
    mediaFile({ audio: [audio(), audio({ stream: 2, codec: 'ac3', channels: 6, language: null, default: false })] }),
    times(),
  )
  const codecs = new Map([['original', 'avc1.64002a']])
  const text = masterPlaylist({ plan, subtitles: [subtitle(0), subtitle(1, { forced: true })], codecs, token })
  const lines = text.split('\n')
  t.strictSame(lines.slice(0, 3), ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'])
  const [original, smaller] = lines.filter((line) => line.startsWith('#EXT-X-STREAM-INF')).map(attributes)
  t.strictSame(original, {
    BANDWIDTH: '17804371',
    'AVERAGE-BANDWIDTH': '8169792',
    CODECS: '"avc1.64002a,mp4a.40.2"',
    RESOLUTION: '1920x1080',
    'FRAME-RATE': '24.000',
    'VIDEO-RANGE': 'SDR',
    AUDIO: '"audio"',
    SUBTITLES: '"subtitles"',
    'CLOSED-CAPTIONS': 'NONE',
  })
  t.equal(smaller?.['RESOLUTION'], '1920x1080')
  const media = lines.filter((line) => line.startsWith('#EXT-X-MEDIA:')).map(attributes)
  t.strictSame(
    media.map(({ TYPE, NAME, LANGUAGE, DEFAULT, FORCED, URI }) => [TYPE, NAME, LANGUAGE, DEFAULT, FORCED, URI]),
    [
      ['AUDIO', '"en"', '"en"', 'YES', undefined, `"audio-0/playlist.m3u8?token=${token}"`],
      ['AUDIO', '"Audio 2"', '"und"', 'NO', undefined, `"audio-1-aac/playlist.m3u8?token=${token}"`],
      ['SUBTITLES', '"English"', '"en"', 'NO', 'NO', `"subtitles/0.m3u8?token=${token}"`],
      ['SUBTITLES', '"English (forced)"', '"en"', 'NO', 'YES', `"subtitles/1.m3u8?token=${token}"`],
    ],
  )
  t.match(text, `\noriginal/playlist.m3u8?token=${token}\n`)
  t.match(text, `\n720p/playlist.m3u8?token=${token}\n`)
})

t.test('sound in several forms is in a group each, with the same names in both, and each variant says what it holds', async (t) => {
  const tracks = [
    audio({ codec: 'eac3', profile: null, channels: 6, bitrateBps: 640_000, title: 'Film' }),
    audio({ stream: 2, title: 'Comment', default: false }),
    audio({ stream: 3, codec: 'dts', channels: 8, title: 'Film', language: 'de', default: false }),
  ]
  const client = clientCapabilities({
    audio: [
      { codec: 'eac3', maxChannels: 6 },
      { codec: 'aac', maxChannels: 6 },
    ],
  })
  const plan = planStreams(mediaFile({ audio: tracks }), times(), { capabilities: client })
  const lines = masterPlaylist({ plan, subtitles: [], codecs: new Map(), token }).split('\n')
  const media = lines.filter((line) => line.startsWith('#EXT-X-MEDIA:')).map(attributes)
  t.strictSame(
    media.map(({ 'GROUP-ID': group, NAME, CHANNELS, DEFAULT, URI }) => [group, NAME, CHANNELS, DEFAULT, URI?.split('/')[0]]),
    [
      ['"best"', '"Film"', '"6"', 'YES', '"audio-0'],
      ['"best"', '"Comment"', '"2"', 'NO', '"audio-1'],
      ['"best"', '"Film 2"', '"6"', 'NO', '"audio-2-aac51'],
      ['"stereo"', '"Film"', '"2"', 'YES', '"audio-0-aac'],
      ['"stereo"', '"Comment"', '"2"', 'NO', '"audio-1'],
      ['"stereo"', '"Film 2"', '"2"', 'NO', '"audio-2-aac'],
    ],
  )
  const variants = lines.filter((line) => line.startsWith('#EXT-X-STREAM-INF')).map(attributes)
  t.strictSame(
    variants.map(({ RESOLUTION, AUDIO, CODECS }) => [RESOLUTION, AUDIO, CODECS]),
    plan.video
      .flatMap(({ width, height, codec }) => [
        [`${width}x${height}`, '"best"', `"${codec},ec-3,mp4a.40.2"`],
        [`${width}x${height}`, '"stereo"', `"${codec},mp4a.40.2"`],
      ])
      .toSorted((one, other) => String(one[1]).localeCompare(String(other[1]))),
  )
  t.equal(
    variants[0]?.['BANDWIDTH'],
    String(Math.round(1.1 * (plan.video[0]!.peakBitrateBps + 800_000 + EC3_BOXES_BPS))),
    'with the greatest rate of its own group',
  )
  t.equal(variants[plan.video.length]?.['BANDWIDTH'], String(Math.round(1.1 * (plan.video[0]!.peakBitrateBps + 176_000 + AAC_BOXES_BPS))))
})

t.test('a film without sound or subtitles has no groups', async (t) => {
  const text = masterPlaylist({ plan: planStreams(mediaFile({ audio: [] }), times()), subtitles: [], codecs: new Map(), token })
  t.notMatch(text, /AUDIO=|SUBTITLES=|EXT-X-MEDIA:/)
})

t.test('a title from a film cannot break out of its quotes or its line', async (t) => {
  const plan = planStreams(mediaFile({ audio: [audio({ title: 'A "B",URI="x"\n#EXT-X-ENDLIST\u2028' })], video: [video()] }), times())
  const text = masterPlaylist({ plan, subtitles: [], codecs: new Map(), token })
  t.equal(text.split('\n').filter((line) => line.startsWith('#EXT-X-ENDLIST')).length, 0)
  const line = text.split('\n').find((one) => one.startsWith('#EXT-X-MEDIA'))
  t.equal(attributes(line ?? '')['URI'], `"audio-0/playlist.m3u8?token=${token}"`)
})

t.test('only one subtitle is shown without being asked for', async (t) => {
  const plan = planStreams(mediaFile(), times())
  const text = masterPlaylist({
    plan,
    subtitles: [subtitle(0, { default: true }), subtitle(1, { default: true })],
    codecs: new Map(),
    token,
  })
  const defaults = text
    .split('\n')
    .filter((line) => line.includes('TYPE=SUBTITLES'))
    .map((line) => attributes(line)['DEFAULT'])
  t.strictSame(defaults, ['YES', 'NO'])
})

t.test('a subtitle playlist has pieces of a minute', async (t) => {
  const text = subtitlePlaylist(3, 150_500, token)
  t.strictSame(problemsOf(text), [])
  t.strictSame(
    text.split('\n').filter((line) => line.endsWith(token)),
    ['3-0.vtt', '3-1.vtt', '3-2.vtt'].map((name) => `${name}?token=${token}`),
  )
  t.match(text, '#EXT-X-TARGETDURATION:60\n')
  t.strictSame(problemsOf(subtitlePlaylist(0, 5_055, token)), [])
})

t.test('independent segments are claimed by the playlists that have them, and by the master where all have', async (t) => {
  const keyframesMs = [0, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000, 55_000]
  const keyframeKinds = keyframesMs.map((_, index) => (index === 0 ? ('closed' as const) : ('open' as const)))
  const claims = (text: string | undefined) => text?.includes('#EXT-X-INDEPENDENT-SEGMENTS\n')
  for (const [known, isClaimed] of [
    [times({ keyframesMs }), true],
    [times({ keyframesMs, keyframeKinds }), false],
  ] as const) {
    const plan = planStreams(mediaFile(), known, { capabilities: clientCapabilities({ containers: ['mpegts'] }) })
    const [copy, made] = [plan.video.find(({ method }) => method === 'remux')!, plan.video.find(({ method }) => method === 'transcode')!]
    t.equal(claims(masterPlaylist({ plan, subtitles: [], codecs: new Map(), token })), isClaimed)
    t.strictSame(
      [copy, made, plan.audio[0]!].map((one) => claims(mediaPlaylist(one, plan.targetSeconds, token))),
      [isClaimed, true, true],
    )
  }
})
