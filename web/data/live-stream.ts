/** The event stream of a browser: one tab holds it, and passes its events on to the others (leader.ts). */
import { answers, api, answerOf } from '../api/client.ts'
import { followEvents } from './invalidation.ts'
import { eventsSince, keepEvent, type KeptEvents } from './kept-events.ts'
import { joinTabs, type Channel, type Leadership, type TabMessage } from './leader.ts'
import { deliver, liveState } from './live.ts'
import { forget, isAdmin, isSignedIn } from './who.ts'

/** Kinds of events that the client hears. */
export const KINDS: readonly string[] = [
  'hello reset access.changed server.stopping preferences.changed',
  'library.created library.updated library.deleted library.offline library.online library.massMissing',
  'scan.started scan.progress scan.completed scan.failed scan.cancelled',
  'movie.added movie.updated movie.missing movie.restored movie.removed movie.watched movie.unwatched resume.changed watchlist.changed',
  'playback.started playback.progress playback.seeked playback.ended playback.command',
  'user.created user.updated user.deleted trickplay.ready history.added analytics.changed projection.rebuilding projection.rebuilt',
].flatMap((line) => line.split(' '))

const AGAIN_MS = 3000
const AGAIN_MOST_MS = 30_000

interface Stream {
  source: EventSource | undefined
  failures: number
  timer: ReturnType<typeof setTimeout> | undefined
  readonly channel: Channel
  kept: KeptEvents
}

interface Tabs {
  readonly tab: string
  readonly stream: Stream
  readonly leadership: Leadership
  readonly channel: Channel & { close(): void }
}

let tabs: Tabs | undefined
/** Events are followed once in the life of a page, also if somebody else signs in later. */
let isFollowed = false
/** Of the last event that this page has heard, from the server or from another tab: whoever takes over, or comes back, misses nothing. */
let lastId: string | undefined
/** Whether this page has received all events since its first answers. */
let isTold = false

/** Begins to listen, if somebody is signed in. */
export function joinStream(): void {
  if (tabs || !isSignedIn()) return
  if (!isFollowed) followEvents()
  isFollowed = true
  const channel = openChannel()
  const stream: Stream = { source: undefined, failures: 0, timer: undefined, channel, kept: { from: Infinity, events: [] } }
  const tab = `${String(Date.now()).padStart(15, '0')}${Math.random().toString(36).slice(2)}`
  channel.listen((message) => hear(message))
  const leadership = joinTabs({
    channel,
    timers: browserTimers,
    tab,
    isHidden: () => document.hidden,
    onChange: (leads) => (leads ? lead(stream) : disconnect(stream)),
  })
  tabs = { tab, stream, leadership, channel }
  addEventListener('pagehide', leaveStream, { once: true })
}

/** What the tab that holds the stream passes on, and what others ask of it. */
function hear(message: TabMessage): void {
  if (message.type === 'signed-out') forget('ended')
  if (!tabs) return
  const { tab, channel, stream, leadership } = tabs
  if (leadership.leads()) {
    if (message.type === 'asks') channel.post({ type: 'missed', tab: message.tab, events: eventsSince(stream.kept, message.since) })
    return
  }
  if (message.type === 'alive' && message.leads && !isTold && answers.since < Infinity)
    channel.post({ type: 'asks', tab, since: answers.since })
  if (message.type === 'missed' && message.tab === tab && !isTold) {
    isTold = true
    if (message.events) for (const { kind, data } of message.events) deliver(kind, data)
    else deliver('reset', '{}')
  }
  if (message.type === 'event') {
    // If this tab takes over, it goes on where the other one was.
    if (message.id !== '') lastId = message.id
    deliver(message.kind, message.data)
  }
  if (message.type === 'away' && liveState.value === 'open') liveState.value = 'away'
}

/** Ends it for this tab; another one takes over. */
function leaveStream(): void {
  const ending = tabs
  tabs = undefined
  ending?.leadership.leave()
  ending?.channel.close()
}

/** The person was signed out: the other tabs of the browser show nothing of before, either. */
export function tellSignedOut(): void {
  tabs?.channel.post({ type: 'signed-out' })
  leaveStream()
  lastId = undefined
  isTold = false
}

/** Without the channel, which every browser of today has, each tab leads itself. */
function openChannel(): Tabs['channel'] {
  if (typeof BroadcastChannel === 'undefined') return { post: () => undefined, listen: () => undefined, close: () => undefined }
  const channel = new BroadcastChannel('marquee')
  return {
    post: (message) => channel.postMessage(message),
    listen: (handler) => channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => handler(data)),
    close: () => channel.close(),
  }
}

const browserTimers = {
  now: () => Date.now(),
  every(ms: number, run: () => void) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
}

/** The stream begins where this page has last heard of something, or where its first answers are. */
function lead(stream: Stream): void {
  if (!isTold && answers.since < Infinity) lastId = String(answers.since)
  isTold = true
  stream.kept = { from: Number(lastId ?? Infinity), events: [] }
  connect(stream)
}

function connect(stream: Stream): void {
  const query = new URLSearchParams({
    ...(lastId === undefined ? {} : { lastEventId: lastId }),
    ...(isAdmin() ? { scope: 'all' } : {}),
  })
  const source = new EventSource(`/api/events?${query}`)
  stream.source = source
  for (const kind of KINDS) {
    source.addEventListener(kind, (event: MessageEvent<string>) => {
      stream.failures = 0
      if (event.lastEventId !== '') lastId = event.lastEventId
      const message = { type: 'event', kind, data: event.data, id: event.lastEventId } as const
      if (kind !== 'hello') stream.kept = keepEvent(stream.kept, message)
      stream.channel.post(message)
      deliver(kind, event.data)
    })
  }
  source.addEventListener('error', () => {
    // The browser hides the status of a refusal, and does not try again after one: this asks who is here, and tries itself.
    source.close()
    if (stream.source === source) tryLater(stream)
  })
}

function tryLater(stream: Stream): void {
  if (liveState.value === 'open') liveState.value = 'away'
  stream.channel.post({ type: 'away' })
  stream.timer = setTimeout(() => void again(stream), Math.min(AGAIN_MS * 2 ** stream.failures, AGAIN_MOST_MS))
  stream.failures += 1
}

async function again(stream: Stream): Promise<void> {
  const answer = await answerOf(api.GET('/api/auth/get-session'))
  if (tabs?.channel !== stream.channel || !tabs.leadership.leads()) return
  if (!answer.ok) return tryLater(stream)
  if (answer.value === null) return forget('ended')
  connect(stream)
}

function disconnect(stream: Stream): void {
  clearTimeout(stream.timer)
  stream.source?.close()
  stream.source = undefined
}
