/** Reads a running server through Node's inspector: its heap after a collection, and what keeps its event loop alive. */

export interface ProcessState {
  /** Used heap of the main thread, after a collection. */
  readonly heapBytes: number
  /** What V8 holds for it, after that. */
  readonly heapTotalBytes: number
  /** What V8 holds for the heaps of all other threads, which are collected only when they need it. */
  readonly threadHeapsBytes: number
  /** Of buffers, which are outside of the heap: the caches of segments and images are part of it. */
  readonly bufferBytes: number
  /** Active handles and requests of the event loop, such as `Timeout` and `TCPSocketWrap`, by kind. */
  readonly resources: Readonly<Record<string, number>>
}

interface Reply {
  readonly id: number
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

const REPLY_MS = 30_000

/** The connection is closed again, so that it is in no other measurement. */
export async function processState(inspectorPort: number): Promise<ProcessState> {
  const answer = await fetch(`http://127.0.0.1:${inspectorPort}/json`, { signal: AbortSignal.timeout(REPLY_MS) })
  const [target] = (await answer.json()) as readonly { readonly webSocketDebuggerUrl: string }[]
  if (!target) throw new Error('The server has no inspector')
  const socket = await connect(target.webSocketDebuggerUrl)
  try {
    // The first collection runs finalizers, the second one collects what they released.
    for (let n = 0; n < 2; n++) await ask(socket, 'HeapProfiler.collectGarbage')
    const { usedSize, totalSize } = await ask(socket, 'Runtime.getHeapUsage')
    const expression = 'JSON.stringify({ kinds: process.getActiveResourcesInfo(), bufferBytes: process.memoryUsage().arrayBuffers })'
    const { result } = await ask(socket, 'Runtime.evaluate', { expression, returnByValue: true })
    const { kinds, bufferBytes } = JSON.parse((result as { readonly value: string }).value) as {
      readonly kinds: readonly string[]
      readonly bufferBytes: number
    }
    const threadHeapsBytes = await threadHeaps(socket)
    return { heapBytes: Number(usedSize), heapTotalBytes: Number(totalSize), threadHeapsBytes, bufferBytes, resources: countOf(kinds) }
  } finally {
    socket.close()
  }
}

interface RemoteObject {
  readonly objectId: string
}

const WORKERS = "process.getBuiltinModule('worker_threads').Worker.prototype"
/** A thread that has ended has no heap. */
const SUM_OF_HEAPS = `async function () {
  const sizes = await Promise.all(this.map((worker) => worker.getHeapStatistics().then((heap) => heap.total_heap_size, () => 0)))
  return sizes.reduce((sum, size) => sum + size, 0)
}`

async function threadHeaps(socket: WebSocket): Promise<number> {
  const { result: prototype } = await ask(socket, 'Runtime.evaluate', { expression: WORKERS })
  const { objects } = await ask(socket, 'Runtime.queryObjects', { prototypeObjectId: (prototype as RemoteObject).objectId })
  const { objectId } = objects as RemoteObject
  const call = { objectId, functionDeclaration: SUM_OF_HEAPS, awaitPromise: true, returnByValue: true }
  const { result } = await ask(socket, 'Runtime.callFunctionOn', call)
  return (result as { readonly value: number }).value
}

export function countOf(kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function connect(url: string): Promise<WebSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  const socket = new WebSocket(url)
  socket.addEventListener('open', () => resolve(socket), { once: true })
  socket.addEventListener('error', () => reject(new Error('The inspector does not answer')), { once: true })
  return promise
}

let lastId = 0

function ask(socket: WebSocket, method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const { promise, resolve, reject } = Promise.withResolvers<Readonly<Record<string, unknown>>>()
  const id = ++lastId
  const signal = AbortSignal.timeout(REPLY_MS)
  const hear = ({ data }: MessageEvent): void => {
    const reply = JSON.parse(String(data)) as Reply
    if (reply.id !== id) return
    if (reply.error) reject(new Error(`${method}: ${reply.error.message}`))
    else resolve(reply.result ?? {})
  }
  socket.addEventListener('message', hear)
  signal.addEventListener('abort', () => reject(new Error(`${method} was not answered`)), { once: true })
  socket.send(JSON.stringify({ id, method, params }))
  return promise.finally(() => socket.removeEventListener('message', hear))
}
