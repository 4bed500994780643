/**
 * In the browser: winds and scrubs with hls.js and Shaka, and reads what is shown as colours. Thumbnails are drawn as a player's seek
 * bar would draw them.
 */
const screen = document.querySelector('video')
const seen = { errors: [] }
const tell = (text) => seen.errors.push(String(text))
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** The machine may be busy. */
const PATIENCE_MS = 60_000
const TELL_MS = 500
let player

async function until(what, holds) {
  for (const began = performance.now(); !holds(); await pause(50))
    if (performance.now() - began > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS} ms`)
}

const noteHls = (hls, name) =>
  hls.on('hlsError', (_, { fatal, details, error }) => tell(`${name} ${fatal ? 'fatal ' : ''}${details} ${error?.message ?? ''}`))

/** Red, green and blue in the middle of an image or of a part of it, on average of a few points. */
function colourOf(image, { x, y, w, h }) {
  const canvas = new OffscreenCanvas(w, h)
  const context = canvas.getContext('2d')
  context.drawImage(image, x, y, w, h, 0, 0, w, h)
  const { data } = context.getImageData(Math.floor(w / 2) - 4, Math.floor(h / 2) - 4, 8, 8)
  return [0, 1, 2].map((part) => {
    let sum = 0
    for (let at = part; at < data.length; at += 4) sum += data[at]
    return Math.round((sum * 4) / data.length)
  })
}

const wholeOf = (video) => ({ x: 0, y: 0, w: video.videoWidth, h: video.videoHeight })

async function imageAt(url) {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  return image
}

/** Seconds of `[hh:]mm:ss.ttt`. */
const secondsOf = (text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** The cue of a moment, as a player reads it: its image's address is relative to the file's. */
async function cueAt(vttUrl, time) {
  const answer = await fetch(vttUrl)
  if (!answer.ok) throw new Error(`${vttUrl}: ${answer.status}`)
  const cues = (await answer.text())
    .split('\n\n')
    .slice(1)
    .filter((block) => block.includes(' --> '))
  for (const cue of cues) {
    const [times, target] = cue.trim().split('\n')
    const [from, to] = times.split(' --> ').map(secondsOf)
    if (time < from || time >= to) continue
    const url = new URL(target, vttUrl)
    const [x, y, w, h] = url.hash.replace('#xywh=', '').split(',').map(Number)
    url.hash = ''
    return { from, to, url: String(url), place: { x, y, w, h } }
  }
  throw new Error(`No cue at ${time} among ${cues.length}`)
}

/** A bubble over the lower part of the video, as seek bars have it. */
function showBubble(image, { x, y, w, h }, left) {
  const canvas = document.createElement('canvas')
  canvas.width = w
  canvas.height = h
  canvas.getContext('2d').drawImage(image, x, y, w, h, 0, 0, w, h)
  canvas.style.cssText = `position:absolute;left:${left}px;bottom:24px;width:200px;border:3px solid white;border-radius:6px`
  document.body.style.cssText = 'margin:0;position:relative;width:854px;background:black'
  screen.style.cssText = 'display:block;width:854px'
  document.body.append(canvas)
}

async function play() {
  // Where nothing comes it waits for ever.
  screen.play().catch(tell)
  await until('the video moves', () => screen.currentTime > 0.3)
}

globalThis.trick = {
  errors: () => seen.errors,

  async startHls(master) {
    player = new globalThis.Hls({ enableWorker: true })
    noteHls(player, 'hls')
    player.loadSource(master)
    player.attachMedia(screen)
    await play()
    return player.iframeVariants.map(({ url, attrs }) => ({ url, resolution: attrs.RESOLUTION }))
  },

  /** What a second video shows that winds to these times, one after the other. */
  async windHls(times) {
    const small = document.createElement('video')
    small.muted = true
    const winder = player.createIFramePlayer()
    noteHls(winder, 'I-frames')
    winder.attachMedia(small)
    const shown = []
    for (const time of times) {
      // Going back, hls.js 1.7.4 takes away what lies ahead and with it the end that a lone video needs: a seek bar tells it again.
      const telling = setInterval(() => winder.loadMediaAt(time), TELL_MS)
      winder.loadMediaAt(time)
      await until(`a frame at ${time}`, () => Math.abs(small.currentTime - time) < 0.1 && !small.seeking && small.readyState >= 2)
      clearInterval(telling)
      shown.push({ time, colour: colourOf(small, wholeOf(small)) })
    }
    winder.destroy()
    return shown
  },

  async startShaka(master) {
    globalThis.shaka.polyfill.installAll()
    player = new globalThis.shaka.Player()
    await player.attach(screen)
    player.addEventListener('error', ({ detail }) => tell(`shaka ${detail.code} ${JSON.stringify(detail.data)?.slice(0, 200)}`))
    await player.load(master)
    await play()
    return player.getImageTracks().map(({ id, width, height }) => ({ id, width, height }))
  },

  /** What Shaka says is shown of an image track at a time, and the image there. */
  async thumbnailShaka(track, time) {
    const { uris, positionX: x, positionY: y, width: w, height: h, startTime, duration } = await player.getThumbnails(track, time)
    const place = { x, y, w, h }
    return { url: uris[0], place, startTime, duration, colour: colourOf(await imageAt(uris[0]), place) }
  },

  /** Winds until a place in the film, then plays on. Gives what was shown and asked for meanwhile. */
  async windShaka(rate, to) {
    const asked = []
    player.getNetworkingEngine().registerRequestFilter((_, { uris }) => void asked.push(uris[0].split('/').at(-1).split('?')[0]))
    const shown = []
    player.trickPlay(rate, true)
    const began = performance.now()
    await until(`the place ${to}`, () => {
      if (screen.readyState >= 2 && !screen.seeking) shown.push({ time: screen.currentTime, colour: colourOf(screen, wholeOf(screen)) })
      return screen.currentTime >= to
    })
    const ms = performance.now() - began
    player.cancelTrickPlay()
    const from = screen.currentTime
    await until('it plays on', () => screen.currentTime > from + 1)
    return { ms, asked, shown, rate: screen.playbackRate }
  },

  async thumbnail(vttUrl, time) {
    const cue = await cueAt(vttUrl, time)
    return { ...cue, colour: colourOf(await imageAt(cue.url), cue.place) }
  },

  async bubble(vttUrl, time, left) {
    const { url, place } = await cueAt(vttUrl, time)
    showBubble(await imageAt(url), place, left)
  },
}
