import type { HlsConfig, LoaderCallbacks, LoaderContext } from 'hls.js'
import t, { type Test } from 'tap'
import type { EngineOptions } from '../../../web/player/engine.ts'
import { firstUrls, loaderWith, startAhead, type HeadStart } from '../../../web/player/head-start.ts'

const session = (methods: readonly string[]) =>
  ({
    masterPlaylistUrl: '/api/stream/abc/master.m3u8',
    qualities: methods.map((method, index) => ({ name: `q${index}`, method })),
  }) as unknown as EngineOptions['session']

const COPIED = session(['remux', 'transcode'])
const FROM_START = { session: COPIED, at: 0, choice: { quality: undefined, audio: undefined } } as unknown as EngineOptions

t.test('asks for what is needed first', (t) => {
  const choice = { quality: undefined, audio: undefined }
  const q0 = (file: string) => `/api/stream/abc/q0/${file}`
  const all = ['/api/stream/abc/master.m3u8', q0('playlist.m3u8'), q0('init.mp4'), q0('seg-0.m4s')]
  t.strictSame(firstUrls({ session: COPIED, at: 0, choice }), all, 'the copied quality, from its beginning')
  t.strictSame(firstUrls({ session: COPIED, at: 12, choice }), all.slice(0, 2), 'elsewhere the playlist says which segment')
  const chosen = firstUrls({ session: COPIED, at: 5, choice: { ...choice, quality: 'q1' } })
  t.equal(chosen[1], '/api/stream/abc/q1/playlist.m3u8', 'the chosen quality')
  t.strictSame(firstUrls({ session: session(['transcode', 'transcode']), at: 0, choice }), all.slice(0, 1), 'bandwidth decides')
  t.end()
})

/** Replaces `fetch` for a test. */
function withFetch(t: Test, answer: (url: string, signal: AbortSignal) => Promise<Response>): void {
  const { fetch } = globalThis
  globalThis.fetch = (url, init) => answer(url as string, init?.signal as AbortSignal)
  t.teardown(() => (globalThis.fetch = fetch))
}

t.test('gives each answer once, whatever the token in its URL', async (t) => {
  withFetch(t, async (url) => (url.includes('init') ? new Response('', { status: 503 }) : new Response(url)))
  const ahead = startAhead(FROM_START)
  const early = await ahead.take('http://localhost:8420/api/stream/abc/q0/playlist.m3u8?token=another')
  t.equal(new TextDecoder().decode(early?.bytes), '/api/stream/abc/q0/playlist.m3u8')
  t.ok(early && early.startMs <= early.firstMs && early.firstMs <= early.endMs)
  t.equal(ahead.take('/api/stream/abc/q0/playlist.m3u8'), undefined, 'once')
  t.equal(ahead.take('/api/stream/abc/q0/seg-1.m4s'), undefined, 'nobody asked for it')
  t.equal(await ahead.take('/api/stream/abc/q0/init.mp4'), undefined, 'it failed')
})

t.test('aborts what nobody took', async (t) => {
  const aborted: string[] = []
  withFetch(t, (url, signal) => {
    signal.addEventListener('abort', () => aborted.push(url))
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  })
  const ahead = startAhead(FROM_START)
  const taken = ahead.take('/api/stream/abc/master.m3u8')
  ahead.stop()
  t.equal(aborted.length, 4)
  t.equal(await taken, undefined, 'hls.js requests it itself')
  t.equal(ahead.take('/api/stream/abc/q0/seg-0.m4s'), undefined)
})

interface Asked {
  readonly loaded: string[]
  readonly aborted: string[]
}

/** Stands for hls.js's own loader: it notes what it is asked for. */
function ownLoader({ loaded, aborted }: Asked): HlsConfig['loader'] {
  return class {
    context: LoaderContext | null = null
    stats = { aborted: false, loaded: 0, total: 0, loading: { start: 0, first: 0, end: 0 } } as never
    load({ url }: LoaderContext): void {
      loaded.push(url)
    }
    abort(): void {
      aborted.push('own')
    }
    destroy(): void {
      aborted.push('destroyed')
    }
  }
}

function useLoader(answers: Readonly<Record<string, Promise<string | undefined>>>) {
  const asked: Asked = { loaded: [], aborted: [] }
  const events: string[] = []
  const ahead: HeadStart = {
    take: (url) =>
      answers[url]?.then((text) =>
        text === undefined ? undefined : { bytes: new TextEncoder().encode(text).buffer, startMs: 10, firstMs: 20, endMs: 30 },
      ),
    stop: () => undefined,
  }
  const Loader = loaderWith(ownLoader(asked), ahead)
  const loader = new Loader({} as HlsConfig)
  const load = (url: string, responseType: string) => {
    const callbacks = {
      onSuccess: ({ data }: { data: unknown }) =>
        events.push(typeof data === 'string' ? data : `${(data as ArrayBuffer).byteLength} bytes`),
      onAbort: () => events.push('aborted'),
    } as unknown as LoaderCallbacks<LoaderContext>
    loader.load({ url, responseType } as LoaderContext, {} as never, callbacks)
  }
  return { asked, events, loader, load }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('the loader takes what was asked for ahead', async (t) => {
  const playlist = useLoader({ '/p': Promise.resolve('#EXTM3U') })
  playlist.load('/p', 'text')
  await turn()
  t.strictSame(playlist.events, ['#EXTM3U'])
  t.strictSame(playlist.asked.loaded, [])
  t.match(playlist.loader.stats, { loaded: 7, total: 7, loading: { start: 10, first: 20, end: 30 } }, 'the bandwidth is measured by it')
  t.equal(playlist.loader.context?.url, '/p')

  const segment = useLoader({ '/s': Promise.resolve('12345') })
  segment.load('/s', 'arraybuffer')
  await turn()
  t.strictSame(segment.events, ['5 bytes'])
})

t.test('the loader asks itself for what was not asked for, or failed', async (t) => {
  const { asked, events, load } = useLoader({ '/failed': Promise.resolve(undefined) })
  load('/failed', 'text')
  load('/other', 'text')
  await turn()
  t.strictSame(asked.loaded, ['/other', '/failed'])
  t.strictSame(events, [])
})

t.test('an aborted or destroyed loader hears nothing more', async (t) => {
  const aborted = useLoader({ '/p': Promise.resolve('late') })
  aborted.load('/p', 'text')
  aborted.loader.abort()
  await turn()
  t.strictSame(aborted.events, ['aborted'])
  aborted.loader.abort()
  t.strictSame(aborted.asked.aborted, ['own'], "then it is hls.js's own again")

  const destroyed = useLoader({ '/p': Promise.resolve('late') })
  destroyed.load('/p', 'text')
  destroyed.loader.destroy()
  await turn()
  t.strictSame(destroyed.events, [])
  t.strictSame(destroyed.asked.aborted, ['destroyed'])
})
