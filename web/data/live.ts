/** Live events: one stream a browser, whose events reach every tab (leader.ts), and what pages do with them. */
import { signal } from '@preact/signals-core'
import { api, answerOf } from '../api/client.ts'
import { joinTabs, type Channel, type Leadership, type TabMessage } from './leader.ts'
import { forget, isAdmin, isSignedIn } from './who.ts'

/** What every event has, and what some have. */
export interface LiveData {
  readonly seq?: string
  readonly movieId?: string
  readonly libraryId?: string | null
  readonly sessionId?: string
  readonly position?: number | null
  readonly watchedAt?: string | null
  readonly watchlist?: boolean
  readonly playState?: string
  readonly commandId?: string
  readonly command?: string
  readonly message?: string | null
  readonly webBuild?: string | null
  readonly userId?: string
}

export type LiveHandler = (kind: string, data: LiveData) => void

/** `stopping`: the server says that it restarts; `away`: nothing comes at the moment. */
export const liveState = signal<'open' | 'stopping' | 'away'>('open')

/** Kinds of events that the client hears. */
export const KINDS: readonly string[] = [
  'hello reset access.changed server.stopping preferences.changed',
  'library.created library.updated library.deleted library.offline library.online library.massMissing',
  'scan.started scan.progress scan.completed scan.failed scan.cancelled',
  'movie.added movie.updated movie.missing movie.restored movie.removed movie.watched movie.unwatched resume.changed watchlist.changed',
  'playback.started playback.progress playback.seeked playback.ended playback.command',
  'user.created user.updated user.deleted trickplay.ready history.added analytics.changed',
].flatMap((line) => line.split(' '))

const AGAIN_MS = 3000
const AGAIN_MOST_MS = 30_000

const handlers = new Set<{ readonly wants: (kind: string) => boolean; readonly handler: LiveHandler }>()

/** Kinds are whole names, or beginnings that end in a dot: `playback.`. Gives what ends it. */
export function onLive(kinds: readonly string[], handler: LiveHandler): () => void {
  const entry = { wants: (kind: string) => kinds.some((one) => (one.endsWith('.') ? kind.startsWith(one) : kind === one)), handler }
  handlers.add(entry)
  return () => void handlers.delete(entry)
}

function deliver(kind: string, text: string): void {
  const data = JSON.parse(text) as LiveData
  if (kind === 'server.stopping') liveState.value = 'stopping'
  else if (kind === 'hello') liveState.value = 'open'
  for (const { wants, handler } of handlers) if (wants(kind)) handler(kind, data)
}

interface Stream {
  source: EventSource | undefined
  failures: number
  timer: ReturnType<typeof setTimeout> | undefined
  readonly channel: Channel
}

interface Tabs {
  readonly leadership: Leadership
  readonly channel: Channel & { close(): void }
}

let tabs: Tabs | undefined
/** Of the last event that this page has heard, from the server or from another tab: whoever takes over, or comes back, misses nothing. */
let lastId: string | undefined

/** Begins to listen. Call it once somebody is signed in. */
export function startLive(): void {
  if (tabs || !isSignedIn()) return
  const channel = openChannel()
  const stream: Stream = { source: undefined, failures: 0, timer: undefined, channel }
  const tab = `${String(Date.now()).padStart(15, '0')}${Math.random().toString(36).slice(2)}`
  channel.listen((message) => hear(message))
  const leadership = joinTabs({
    channel,
    timers: browserTimers,
    tab,
    isHidden: () => document.hidden,
    onChange: (leads) => (leads ? connect(stream) : disconnect(stream)),
  })
  tabs = { leadership, channel }
  addEventListener('pagehide', stopLive, { once: true })
}

/** What the tab that holds the stream passes on. */
function hear(message: TabMessage): void {
  if (message.type === 'signed-out') forget('ended')
  if (tabs?.leadership.leads() === true) return
  if (message.type === 'event') {
    // If this tab takes over, it goes on where the other one was.
    if (message.id !== '') lastId = message.id
    deliver(message.kind, message.data)
  }
  if (message.type === 'away' && liveState.value === 'open') liveState.value = 'away'
}

/** Ends it for this tab; another one takes over. */
export function stopLive(): void {
  const ending = tabs
  tabs = undefined
  ending?.leadership.leave()
  ending?.channel.close()
}

/** The person was signed out: the other tabs of the browser show nothing of before, either. */
export function tellSignedOut(): void {
  tabs?.channel.post({ type: 'signed-out' })
  stopLive()
  lastId = undefined
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
      stream.channel.post({ type: 'event', kind, data: event.data, id: event.lastEventId })
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
