/**
 * In the browser: plays a presentation with hls.js or Shaka and keeps watch over it. A stall is a time in which the video should
 * move and does not; a hole is a gap between buffered ranges that are next to each other.
 */
const video = document.querySelector('video')
const LOOK_MS = 50
const STALL_MS = 150
/** Wider gaps lie between places that were sought. */
const WIDEST_HOLE_S = 1
const MOVES_WITHIN_MS = 20_000

const seen = { stalls: [], holes: new Map(), errors: [], seeksMs: [], startMs: null }
let isWatching = false
let still = { at: -1, since: 0 }
let player

setInterval(() => {
  const { currentTime, paused, seeking, ended } = video
  noteHoles()
  if (!isWatching || paused || seeking || ended || currentTime !== still.at) {
    noteStall()
    still = { at: currentTime, since: performance.now() }
  }
}, LOOK_MS)

function noteStall() {
  const ms = performance.now() - still.since
  if (isWatching && ms > STALL_MS) seen.stalls.push({ at: still.at, ms: Math.round(ms) })
}

function noteHoles() {
  for (let n = 1; n < video.buffered.length; n++) {
    const [from, to] = [video.buffered.end(n - 1), video.buffered.start(n)]
    if (to - from < WIDEST_HOLE_S) seen.holes.set(from.toFixed(3), Number((to - from).toFixed(4)))
  }
}

const tell = (text) => seen.errors.push(String(text))
video.addEventListener('error', () => tell(`video: ${video.error?.message}`))
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function moves(from) {
  const began = performance.now()
  while (video.currentTime <= from + 0.1 && !video.ended) {
    if (performance.now() - began > MOVES_WITHIN_MS) {
      tell(`no video moves at ${from}`)
      return
    }
    await pause(10)
  }
}

/** `aheadS`: how much is loaded before it is played, instead of what is usual. */
const PLAYERS = {
  async hls(url, aheadS) {
    const little = aheadS === undefined ? {} : { maxBufferLength: aheadS, maxMaxBufferLength: aheadS, backBufferLength: 0 }
    const hls = new globalThis.Hls({ enableWorker: true, ...little })
    hls.on('hlsError', (_, { fatal, details, error }) => tell(`${fatal ? 'fatal ' : ''}${details} ${error?.message ?? ''}`))
    hls.loadSource(url)
    hls.attachMedia(video)
    await new Promise((resolve) => hls.on('hlsManifestParsed', resolve))
    return {
      qualities: () => hls.levels.map(({ height }) => height),
      choose: (n) => void (hls.nextLevel = n),
      async subtitles() {
        if (hls.subtitleTracks.length === 0) return null
        hls.subtitleDisplay = true
        hls.subtitleTrack = 0
        return cuesShown()
      },
    }
  },
  async shaka(url, aheadS) {
    globalThis.shaka.polyfill.installAll()
    const shaka = new globalThis.shaka.Player()
    await shaka.attach(video)
    const little = aheadS === undefined ? {} : { bufferingGoal: aheadS, rebufferingGoal: 0, bufferBehind: 0 }
    shaka.configure({ streaming: { segmentPrefetchLimit: 0, ...little } })
    shaka.addEventListener('error', ({ detail }) => tell(`shaka ${detail.code} ${JSON.stringify(detail.data)?.slice(0, 200)}`))
    await shaka.load(url)
    const variants = () => {
      const active = shaka.getVariantTracks().find((track) => track.active)
      return shaka.getVariantTracks().filter((track) => track.audioId === active?.audioId)
    }
    return {
      qualities: () => variants().map(({ height }) => height),
      choose(n) {
        shaka.configure({ abr: { enabled: false } })
        const track = variants()[n]
        if (track) shaka.selectVariantTrack(track, false)
      },
      async subtitles() {
        const [first] = shaka.getTextTracks()
        if (!first) return null
        await shaka.selectTextTrack(first)
        return cuesShown()
      },
    }
  },
}

async function cuesShown() {
  for (let looks = 0; looks < 150; looks++) {
    const count = [...video.textTracks].reduce((sum, track) => sum + (track.cues?.length ?? 0), 0)
    if (count > 0) return count
    await pause(100)
  }
  return 0
}

globalThis.watched = {
  async start(name, url, aheadS) {
    const began = performance.now()
    try {
      player = await PLAYERS[name](url, aheadS)
    } catch (cause) {
      tell(`load: ${cause.message ?? cause.code ?? cause}`)
      return
    }
    await video.play()
    await moves(video.currentTime)
    seen.startMs = Math.round(performance.now() - began)
    isWatching = true
  },
  async seek(position) {
    isWatching = false
    const began = performance.now()
    video.currentTime = position
    // A film that has come to its end rests there.
    if (video.paused) await video.play()
    await moves(position)
    seen.seeksMs.push(Math.round(performance.now() - began))
    still = { at: video.currentTime, since: performance.now() }
    isWatching = true
  },
  /** Goes to a place and rests there. Gives the frame that is shown then, as grey values of this size, and its time. */
  async frame(position, width, height) {
    isWatching = false
    video.pause()
    const shown = new Promise((resolve) => video.requestVideoFrameCallback((_, { mediaTime }) => resolve(mediaTime)))
    video.currentTime = position
    const time = await Promise.race([shown, pause(MOVES_WITHIN_MS)])
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context.drawImage(video, 0, 0, width, height)
    const { data } = context.getImageData(0, 0, width, height)
    // Chromium takes a film that says nothing of its colours for BT.709.
    const grey = Array.from({ length: data.length / 4 }, (_, n) =>
      Math.round(0.2126 * data[4 * n] + 0.7152 * data[4 * n + 1] + 0.0722 * data[4 * n + 2]),
    )
    return { time: time ?? null, grey }
  },
  qualities: () => player?.qualities() ?? [],
  choose: (n) => player.choose(n),
  subtitles: () => player.subtitles(),
  ended: async (withinMs) => {
    for (const until = performance.now() + withinMs; performance.now() < until; await pause(20)) if (video.ended) return true
    tell(`not at its end: ${video.currentTime} of ${video.duration}`)
    return false
  },
  /** Settles once it has played that far, or has ended. */
  passes: (positionS) => moves(positionS - 0.1),
  look: () => ({ positionS: video.currentTime, ended: video.ended, errors: seen.errors }),
  report: () => ({
    ...seen,
    holes: [...seen.holes.values()],
    durationS: video.duration,
    /** Where video and audio begin, by what the player has put into the first source buffers' common range. */
    bufferedFromS: video.buffered.length > 0 ? video.buffered.start(0) : null,
    height: video.videoHeight,
  }),
}
