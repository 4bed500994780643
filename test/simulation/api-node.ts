/** An API node of a simulation: the services and background tasks of a server, without HTTP. */
import { createMemoryTextReader } from '../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../src/app/derived-media/text-reading.ts'
import { startNodeTasks, type NodeTasks } from '../../src/wiring/node-tasks.ts'
import { createServices, type Services } from '../../src/wiring/services.ts'
import { createMemoryCounters } from '../../src/adapters/memory/counters.ts'
import { createMemoryTextTracks } from '../../src/adapters/memory/text-tracks.ts'
import { createMemoryLoudness } from '../../src/adapters/memory/loudness.ts'
import { createMemoryTrickplayMaker, createMemoryTrickplayStore } from '../../src/adapters/memory/trickplay.ts'
import { createMemoryIdempotencyStore } from '../../src/adapters/memory/idempotency-store.ts'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createMemoryImageStore } from '../../src/adapters/memory/image-store.ts'
import { createSharpImageMaker } from '../../src/adapters/sharp/sharp-image-maker.ts'
import { createUqrCodes } from '../../src/adapters/uqr/qr-codes.ts'
import { createPasskeyChecks } from '../../src/adapters/simplewebauthn/passkeys.ts'
import { createMemoryScrypt } from '../../src/adapters/memory/scrypt.ts'
import { createMemorySegmentStore } from '../../src/adapters/memory/segment-store.ts'
import { createMemoryWatcher } from '../../src/adapters/memory/watcher.ts'
import { createStreamingEngine, type StreamingEngine } from '../../src/app/streaming/engine.ts'
import { createStreamProblems } from '../../src/app/streaming/stream-problems.ts'
import { createStreams, type Streams } from '../../src/app/streaming/stream-service.ts'
import type { Report } from '../../src/ports/report.ts'
import type { Ports } from '../../src/wiring/ports.ts'
import type { Host } from './host.ts'
import { createSeriesIds } from './ports.ts'
import { enginesOf, noteProblem, type Program, type Servers } from './program.ts'

export interface ApiNode extends Program {
  readonly services: Services
  readonly streams: Streams
  /** Requests in flight. */
  readonly serving: { count: number }
  /** When it became ready for requests; undefined: not yet, or no more. */
  readySinceMs(this: void): number | undefined
}

/** Other ports that all API nodes share. */
export type Shared = Pick<Ports, 'vault' | 'media'>

/** A session without a heartbeat ends after this time. */
export const IDLE_SECONDS = 8
const SECRET = 'the secret of a simulation, long enough'

/** `series` makes its ids unique. */
export function startApiNode(servers: Servers & Shared, host: Host, series: number): ApiNode {
  const { world } = servers
  const onError: Report = (cause, level) => void (level === 'info' || noteProblem(world, host, cause))
  const ports = apiEngines(servers, host, series)
  const { clock } = ports
  const { streaming, streams, services } = serve(ports, host.name, onError)
  const serving = { count: 0 }
  let readySinceMs: number | undefined
  let stopping = false
  const background = patiently(clock, async () => startNodeTasks(ports, services, { projects: false, onError }))

  async function becomeReady(): Promise<void> {
    const tasks = await background
    await patiently(clock, () => tasks.caughtUp())
    if (!stopping) readySinceMs = world.now()
  }
  becomeReady().catch(onError)

  return {
    host,
    services,
    streams,
    serving,
    readySinceMs: () => (host.crashed ? undefined : readySinceMs),
    async stop() {
      stopping = true
      readySinceMs = undefined
      // Drains requests, like the HTTP server.
      while (serving.count > 0) await clock.sleep(100)
      await close({ services, streaming, background: await background })
      // All leases have been released by their holders.
      await ports.bus.close()
    },
  }
}

function apiEngines(servers: Servers & Shared, host: Host, series: number): Ports {
  const { vault, media } = servers
  const shared = enginesOf(servers, host)
  const { clock } = shared
  return {
    ...shared,
    openScratchStore: createMemoryReadStore,
    vault,
    scrypt: createMemoryScrypt(),
    qrCodes: createUqrCodes(),
    passkeyChecks: createPasskeyChecks(),
    media,
    counters: createMemoryCounters({ clock }),
    idempotencyStore: createMemoryIdempotencyStore({ clock }),
    segments: createMemorySegmentStore(),
    stills: { still: async () => undefined },
    imageStore: createMemoryImageStore(),
    imageMaker: createSharpImageMaker(),
    fonts: { of: async () => [] },
    texts: createMemoryTextTracks(),
    reader: createMemoryTextReader(textReading),
    loudness: createMemoryLoudness(),
    trickplay: createMemoryTrickplayStore(),
    trickplayMaker: createMemoryTrickplayMaker(),
    online: undefined,
    watcher: createMemoryWatcher(),
    webhookSender: { fault: () => undefined, send: async () => ({ type: 'failed', reason: 'cannot be reached' }) },
    ids: createSeriesIds(series),
  }
}

function serve(ports: Ports, node: string, onError: (cause: unknown) => void) {
  const { bus, clock, ids, leases, media, texts, reader } = ports
  const streaming = createStreamingEngine({
    bus,
    clock,
    ids,
    leases,
    media,
    texts,
    reader,
    node,
    signSource: () => 'token',
    segmentStore: ports.segments,
    onError,
  })
  const streams = createStreams(streaming, createStreamProblems({ bus, clock, node }), onError)
  const services = createServices({
    ports,
    streams,
    node,
    onError,
    idleSeconds: IDLE_SECONDS,
    mediaRoots: [],
    secrets: [SECRET],
    probeWidth: 2,
    urls: () => [],
  })
  return { streaming, streams, services }
}

interface Parts {
  readonly services: Services
  readonly streaming: StreamingEngine
  readonly background: NodeTasks
}

/** In the order of `wiring.ts`. */
async function close({ services, streaming, background }: Parts): Promise<void> {
  await services.scanRunner.close()
  await services.audioGains.close()
  await streaming.close()
  await background.stop()
  await services.host.close()
  services.readYourWrites.close()
}

/** Retries until the servers answer, like a real start. */
async function patiently<Result>(clock: Ports['clock'], work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch {
      await clock.sleep(500)
    }
  }
}
