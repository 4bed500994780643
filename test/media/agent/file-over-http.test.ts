/** ffmpeg's output for a film through the proxy equals that for the film itself; and an agent's errors if that fails. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createMediaSources, type MediaSources } from '../../../transcode-agent/media-sources.ts'
import { isUnreachable } from '../../../transcode-agent/open-media.ts'
import { mediaSet } from '../../fixtures/media-files.ts'
import { clip } from '../../fixtures/clips.ts'
import { runFrom, type RunResult } from '../run-from.ts'
import { openEngineFixture, renditionNamed } from '../engine-fixture.ts'
import { openMediaFileServer, TOKEN } from '../../fixtures/media-file-server.ts'
import { mediaAt, openOwner } from '../owner.ts'

const clock = createSystemClock()
/** An environment with a proxy for everything: no request may go through it. */
process.env['http_proxy'] = 'http://127.0.0.1:9'

/** A run may have continued a little when it is stopped. */
const hashOf = ({ init, segments, missing }: RunResult, through: number): readonly unknown[] => [
  missing.filter((segment) => segment <= through),
  createHash('sha256').update(init).digest('hex'),
  ...[...segments].filter(([n]) => n <= through).map(([n, bytes]) => [n, createHash('sha256').update(bytes).digest('hex')]),
]

const big = join(mediaSet()?.movies ?? '', 'Big Buck Bunny - The Complete Short (2008)', 'Big Buck Bunny - The Complete Short (2008).mp4')
const sintel = join(mediaSet()?.movies ?? '', 'Sintel (2010)', 'Sintel (2010).mkv')

async function prove(t: Test, path: string, names: readonly string[]): Promise<void> {
  const fixture = await openEngineFixture(t)
  const server = await openMediaFileServer({ mediaFile: () => path })
  // Blocks far smaller than in production, so that a small film has many.
  const sources = createMediaSources({ apiUrl: server.url, clock, cacheBytes: 1024 * 1024, blockBytes: 64 * 1024 })
  t.teardown(async () => {
    await sources.close()
    await server.close()
  })
  const mediaFile = await fixture.source(path)
  const job = { fileId: mediaFile.fileId, path: `/elsewhere/${path}`, sizeBytes: statSync(path).size, modifiedAtMs: 0, token: TOKEN }
  for (const name of names) {
    const { plan, rendition, count } = await renditionNamed(fixture, mediaFile, name)
    for (const from of [0, Math.floor(count / 2)]) {
      const open = await sources.open(job)
      if (isUnreachable(open)) throw new Error(open.unreachable)
      const run = { path, plan, rendition, from, count: 2 }
      const [there, here] = [await runFrom({ ...run, path: '/not/here', input: open.input }), await runFrom(run)]
      open.close()
      t.ok(here.segments.size > 0)
      t.strictSame(hashOf(there, from + 1), hashOf(here, from + 1), `${name} from ${from} of ${count}`)
    }
  }
  t.ok(server.asked.length > 2, 'it came from the server')
}

/**
 * x264's rate control depends on its frame threads' progress, so with several threads no two runs are equal. Programs started from here on
 * get one processor, and so one thread.
 */
function pinToOneProcessor(): boolean {
  return spawnSync('taskset', ['--cpu-list', '--pid', '0', `${process.pid}`]).status === 0
}

for (const [name, ...renditions] of [
  ['b-frames.mkv', 'original', ...(pinToOneProcessor() ? ['240p'] : []), 'audio-0'],
  ['variable.mp4', 'original'],
  ['mp3.mkv', 'audio-0-aac'],
  ['broadcast.ts', 'original'],
] as const) {
  t.test(`segments of ${name} over HTTP are those of the file, byte for byte`, async (t) => prove(t, await clip(name), renditions))
}

for (const path of [big, sintel]) {
  t.test(`those of a real film are, too: ${path.split('/').at(-1)}`, { skip: !existsSync(path) }, async (t) => {
    await prove(t, path, ['original'])
  })
}

/** An agent that opens films with these sources, beside an owner. */
async function openAgent(t: Test, sources: MediaSources) {
  const owner = await openOwner({ openSource: sources.open })
  t.teardown(async () => {
    await owner.close()
    await sources.close()
  })
  return owner
}

const elsewhere = (sizeBytes: number) => ({ source: { ...mediaAt('/not/here/film.mkv'), sizeBytes, token: TOKEN } })

t.test('an agent without films and without a server reports that at once, and its slot is free again', async (t) => {
  const agent = await openAgent(t, createMediaSources({ clock }))
  for (let n = 0; n < 3; n++) {
    t.strictSame(await agent.ask(elsewhere(0)), {
      type: 'unreachable',
      reason: 'The film is not mounted on this agent, and MARQUEE_API_URL names no server to fetch it from',
    })
  }
})

t.test('a job whose film cannot be read to its end is given back with the reason, and not as if the film had ended', async (t) => {
  const path = await clip('b-frames.mkv')
  const sizeBytes = statSync(path).size
  let token = TOKEN
  const server = await openMediaFileServer({
    mediaFile: () => path,
    token: () => token,
    instead(request) {
      // After the header and the first block of the film.
      if (request.headers.range !== undefined && !request.headers.range.startsWith('bytes=0-')) token = 'another'
      return false
    },
  })
  t.teardown(() => server.close())
  const sources = createMediaSources({ apiUrl: server.url, clock, blockBytes: 16 * 1024 })
  const agent = await openAgent(t, sources)
  t.equal(await agent.start(elsewhere(sizeBytes)), 'accepted')
  await agent.until(() => agent.ended() !== undefined)
  t.match(agent.ended(), { type: 'ended', outcome: 'left', reason: 'The server does not let this job read the film any more' })
})

t.test('a job that reads over HTTP ends as any other', async (t) => {
  const path = await clip('b-frames.mkv')
  const server = await openMediaFileServer({ mediaFile: () => path })
  t.teardown(() => server.close())
  const agent = await openAgent(t, createMediaSources({ apiUrl: server.url, clock }))
  t.equal(await agent.start(elsewhere(statSync(path).size)), 'accepted')
  await agent.until(() => agent.ended() !== undefined)
  t.match(agent.ended(), { type: 'ended', outcome: 'complete' })
})
