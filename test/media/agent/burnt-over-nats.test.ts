/** A styled subtitle burned in by an agent that has neither the film nor its fonts: it gets the film over HTTP and the fonts over NATS. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMemoryTextReader } from '../../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../../src/app/derived-media/text-reading.ts'
import { createMediaFonts } from '../../../src/adapters/ffmpeg/media-fonts.ts'
import { createTextTracks } from '../../../src/adapters/ffmpeg/text-tracks.ts'
import { createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'
import { createStreamingEngine } from '../../../src/app/streaming/engine.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { createTranscodeAgent } from '../../../transcode-agent/agent.ts'
import { createMediaSources } from '../../../transcode-agent/media-sources.ts'
import { startProgram } from '../../fixtures/program.ts'
import { programs } from '../../fixtures/media-files.ts'
import { overNats } from '../../fakes/nats.ts'
import { BOX_SCRIPT, brightBox, darkClip, folderFor, frameAt, shownIn } from '../burnt-clips.ts'
import { bytesOf, openEngineFixture, qualityNamed } from '../engine-fixture.ts'
import { openMediaFileServer, TOKEN } from '../../fixtures/media-file-server.ts'

const SIZE = { width: 192, height: 108 }
const FONT_BYTES = 3 * 1024 * 1024
const FONTS = 4

t.setTimeout(240_000)
const awake = setInterval(() => undefined, 1_000)
t.teardown(() => clearInterval(awake))

/** Starts like a font but is invalid, which only libass can detect. */
function almostFont(folder: string, name: string): string {
  const path = join(folder, name)
  writeFileSync(path, Buffer.concat([Buffer.from('00010000', 'hex'), randomBytes(FONT_BYTES)]))
  return path
}

await overNats(t, (t, nats) => {
  t.test('an agent without films draws what is styled, with the fonts of the film', async (t) => {
    const folder = folderFor(t)
    const script = join(folder, 'styled.ass')
    writeFileSync(script, BOX_SCRIPT)
    const attached = Array.from({ length: FONTS }, (_, number) => [
      '-attach',
      almostFont(folder, `${number}.ttf`),
      `-metadata:s:t:${number}`,
      'mimetype=font/ttf',
    ])
    const path = await darkClip(join(folder, 'film.mkv'), { beside: [script], seconds: 8, output: attached.flat() })
    const [clock, { ffmpeg }] = [createSystemClock(), await programs]
    const fixture = await openEngineFixture(t)
    const source = { ...(await fixture.source(path)), options: { burnIn: 0 } }
    const url = nats.url()
    const server = await openMediaFileServer({ mediaFile: () => path })
    const sources = createMediaSources({ apiUrl: server.url, clock, cacheBytes: 1024 * 1024, blockBytes: 64 * 1024 })
    const openSource = (job: Parameters<typeof sources.open>[0]) => sources.open({ ...job, path: `/elsewhere/${job.path}` })
    const there = startProgram(t, url)
    const agent = createTranscodeAgent({ bus: there.bus, clock, agentId: 'far', ffmpegPath: ffmpeg, slots: 2, openSource })
    const { bus } = startProgram(t, url)
    const engine = createStreamingEngine({
      bus,
      clock,
      ids: createSystemIds(),
      leases: createMemoryLeases({ clock }),
      media: fixture.media,
      texts: createTextTracks({ clock, folder: join(folder, 'texts'), start: mediaFfmpeg(ffmpeg) }),
      reader: createMemoryTextReader(textReading),
      fonts: createMediaFonts({ folder: join(folder, 'fonts') }),
      node: 'api',
      signSource: () => TOKEN,
      answerWithinMs: 60_000,
    })
    t.teardown(async () => {
      await engine.close()
      await agent.close()
      await sources.close()
      await server.close()
    })
    const quality = qualityNamed((await engine.plan(source)).video[0]?.name ?? '')
    const ask = { viewer: 'ann', signal: AbortSignal.timeout(120_000) }
    const segments: Uint8Array[] = []
    for (const segment of [3, 0, 1, 2]) {
      const askedAt = performance.now()
      segments[segment] = bytesOf(await engine.segment(source, { quality, segment }, ask))
      t.comment(`segment ${segment} after ${Math.round(performance.now() - askedAt)} ms`)
    }
    const shown = await shownIn(bytesOf(await engine.init(source, quality, ask)), segments, SIZE)
    const boxAt = (ms: number) => brightBox(frameAt(shown, ms), shown)
    t.strictSame([boxAt(920), boxAt(7_120)], [undefined, undefined])
    for (const ms of [1_080, 4_000, 6_900]) t.ok((boxAt(ms)?.left ?? 0) > 96 && (boxAt(ms)?.top ?? 99) < 8, `drawn at ${ms} ms`)
    t.ok(server.sentBytes() > 0, 'the film was fetched')
  })
})
