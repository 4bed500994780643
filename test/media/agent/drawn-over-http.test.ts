/** A film with a burned-in subtitle is read twice at a time, from whatever source. */
import { statSync } from 'node:fs'
import t from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createMediaSources } from '../../../transcode-agent/media-sources.ts'
import { isUnreachable } from '../../../transcode-agent/open-media.ts'
import { bitmapClip, folderFor } from '../burnt-clips.ts'
import { runFrom } from '../run-from.ts'
import { firstFrame, openEngineFixture } from '../engine-fixture.ts'
import { openMediaFileServer, TOKEN } from '../../fixtures/media-file-server.ts'

t.test('bitmaps drawn into a film that is fetched are those of the film itself, byte for byte', async (t) => {
  const plates = [{ fromMs: 1_000, toMs: 9_000, x: 40, y: 160, width: 200, height: 32 }]
  const path = await bitmapClip(folderFor(t), { width: 384, height: 216 }, plates)
  const fixture = await openEngineFixture(t)
  const server = await openMediaFileServer({ mediaFile: () => path })
  const sources = createMediaSources({ apiUrl: server.url, clock: createSystemClock(), cacheBytes: 1024 * 1024, blockBytes: 16 * 1024 })
  t.teardown(async () => {
    await sources.close()
    await server.close()
  })
  const mediaFile = { ...(await fixture.source(path)), options: { burnIn: 0 } }
  const { plan, rendition } = await firstFrame(fixture, mediaFile)
  const job = { fileId: mediaFile.fileId, path: `/elsewhere/${path}`, sizeBytes: statSync(path).size, modifiedAtMs: 0, token: TOKEN }
  for (const from of [0, 3]) {
    const open = await sources.open(job)
    if (isUnreachable(open)) throw new Error(open.unreachable)
    const run = { path, plan, rendition, from, count: 2 }
    const [there, here] = [await runFrom({ ...run, path: '/not/here', input: open.input }), await runFrom(run)]
    open.close()
    for (const segment of [from, from + 1]) t.ok(there.segments.get(segment)?.length, `segment ${segment} came`)
    for (const segment of [from, from + 1]) t.strictSame(there.segments.get(segment), here.segments.get(segment), `segment ${segment}`)
  }
})
