import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import { stampOf } from '../../../src/adapters/ffmpeg/file-reads.ts'
import { createJoinedFilms } from '../../../src/adapters/ffmpeg/joined-films.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'
import { createMediaReadClient } from '../../../src/app/media-reads/media-read-client.ts'
import { createSourceTokens } from '../../../src/app/streaming/source-tokens.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { Bus } from '../../../src/ports/bus.ts'
import { createStartRead } from '../../../transcode-agent/media-read.ts'
import { createMediaReader } from '../../../transcode-agent/media-reader.ts'
import { createMediaSources } from '../../../transcode-agent/media-sources.ts'
import { connected, startProgram } from '../../fixtures/program.ts'
import { programs } from '../../fixtures/media-files.ts'
import { overNats } from '../../fakes/nats.ts'
import { mediaReadsContract } from './media-reads-contract.ts'

t.setTimeout(300_000)
const clock = createSystemClock()
const found = await programs
const tokens = createSourceTokens({ clock, secrets: ['s'.repeat(32)] })
const awake = setInterval(() => undefined, 1_000)
t.teardown(() => clearInterval(awake))

const findJoined = createJoinedFilms()

const asker = (bus: Bus) =>
  createMediaReadClient({
    bus,
    clock,
    ids: createSystemIds(),
    node: 'api',
    sign: tokens.signPath,
    stamp: (path) => stampOf(path),
    parts: async (path) => (await findJoined(path))?.parts,
    onError: () => {},
  })

t.test('by programs of this process', async (t) => {
  mediaReadsContract(t, async () => ({ start: mediaFfmpeg(found.ffmpeg, found.ffprobe), close: async () => {} }))
})

t.test('by an agent that has the films mounted', async (t) => {
  mediaReadsContract(t, async (t, folder) => {
    const bus = createLocalBus({ clock })
    const sources = createMediaSources({ roots: [folder], clock })
    const reader = createMediaReader({
      bus,
      clock,
      start: createStartRead(found),
      openSource: sources.open,
      onError: (cause) => void t.fail(String(cause)),
    })
    return {
      start: asker(bus).start,
      close: async () => {
        await reader.close()
        await sources.close()
        await bus.close()
      },
    }
  })
})

/** Serves films by their tokens, whole or in ranges. */
async function serveMediaFiles(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const claims = tokens.readPath(request.headers.authorization?.slice('Bearer '.length) ?? '')
    if (!claims || request.url !== `/api/agent/sources/${claims.fileId}`) {
      response.writeHead(401).end()
      return
    }
    const bytes = readFileSync(claims.path)
    const [, first = 0, last = bytes.length - 1] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []).map(Number)
    const end = Math.min(last, bytes.length - 1)
    const part = request.headers.range ? { 'content-range': `bytes ${first}-${end}/${bytes.length}` } : {}
    response.writeHead(request.headers.range ? 206 : 200, { 'content-length': end - first + 1, etag: `"${bytes.length}"`, ...part })
    response.end(request.method === 'HEAD' ? undefined : bytes.subarray(first, end + 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

await overNats(t, (t, nats) => {
  t.test('by an agent that has no films, over NATS and HTTP', async (t) => {
    mediaReadsContract(t, async (t) => {
      const url = nats.url()
      const [there, here] = [startProgram(t, url), startProgram(t, url)]
      await connected([there, here])
      const films = await serveMediaFiles()
      const sources = createMediaSources({ apiUrl: films.url, roots: ['/nowhere'], clock })
      const onError = (cause: unknown) => void t.fail(String(cause))
      const reader = createMediaReader({ bus: there.bus, clock, start: createStartRead(found), openSource: sources.open, onError })
      return {
        start: asker(here.bus).start,
        close: async () => {
          await reader.close()
          await sources.close()
          films.close()
        },
      }
    })
  })
})
