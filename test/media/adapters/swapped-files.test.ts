/** A film that is replaced by another file between probing and reading: a file that names further files must not open them. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createMediaFrames } from '../../../src/adapters/ffmpeg/video-frames.ts'
import { createTextTracks } from '../../../src/adapters/ffmpeg/text-tracks.ts'
import { createLoudness } from '../../../src/adapters/ffmpeg/loudness.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createStills } from '../../../src/adapters/ffmpeg/stills.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { audio } from '../../fixtures/media-descriptions.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { bothFfmpegs } from '../tones.ts'

const clock = createSystemClock()
const { ffprobe } = await programs
const soon = () => AbortSignal.timeout(60_000)
const hex = (digit: number) => digit.toString(16).repeat(64)

/** Each would expose the first seconds of the other file to an ffmpeg that opens it. */
const LISTS: Readonly<Record<string, (other: string) => string>> = {
  'an HLS playlist': (other) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:3,\n${other}\n#EXT-X-ENDLIST\n`,
  'a list of files to join': (other) => `ffconcat version 1.0\nfile '${other}'\n`,
  'a DASH manifest': (other) =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S"><Period>` +
    `<AdaptationSet mimeType="video/mp2t"><Representation id="1" bandwidth="1"><BaseURL>${other}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
}

for (const ffmpeg of await bothFfmpegs()) {
  t.test(`a film that was swapped for a list of other files shows none of them (${ffmpeg})`, { timeout: 180_000 }, async (t) => {
    const folder = t.testdir()
    const start = mediaFfmpeg(ffmpeg)
    const stills = createStills({ clock, start, folder: join(folder, 'stills') })
    const texts = createTextTracks({ clock, folder: join(folder, 'texts'), start })
    const loudness = createLoudness({ clock, folder: join(folder, 'loud'), start })
    const frames = createMediaFrames({ clock, start })
    await mkdir(join(folder, 'private'))
    // With a name that passes ffmpeg's own check of extensions.
    const other = await makeClip({ path: join(folder, 'private', 'other.ts'), seconds: 3 })
    const mediaFile = join(folder, 'film.mkv')
    const asked = async (digit: number) => ({
      still: await stills.still({ path: mediaFile, fingerprint: hex(digit), durationMs: 3_000 }),
      text: await texts.takeOut(
        { path: mediaFile, fingerprint: hex(digit), startMs: 0, bitrateBps: null, pacer: null, tracks: [{ stream: 1, codec: 'subrip' }] },
        { background: false, signal: soon() },
      ),
      loud: await loudness.measure({ path: mediaFile, fingerprint: hex(digit), bitrateBps: null, audio: [audio({ stream: 1 })] }, soon()),
    })

    await copyFile(other, mediaFile)
    const media = createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock, indexFolder: join(folder, 'index') })
    t.ok(await media.probe(mediaFile, soon()), 'the film is one')
    const before = await asked(1)
    t.ok(before.still && before.loud, 'and gives what it is asked for')

    for (const [at, [kind, list]] of Object.entries(LISTS).entries()) {
      await rm(mediaFile)
      await writeFile(mediaFile, list(other))
      t.strictSame(await asked(at + 2), { still: undefined, text: false, loud: undefined }, kind)
      const track = { stream: 0, interlaced: false } as Parameters<typeof frames.keyframes>[0]['track']
      const look = frames.keyframes(
        { path: mediaFile, fingerprint: hex(5), bitrateBps: null, durationMs: 3_000, zeroMs: 0, track } as never,
        soon(),
      )
      await t.rejects(look[Symbol.asyncIterator]().next(), /could not read/, `${kind}, for frames`)
    }
  })
}
