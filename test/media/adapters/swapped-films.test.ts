/** A film that was probed and is another file when it is read: what names further files is opened by no one. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createFilmPictures } from '../../../src/adapters/ffmpeg/film-pictures.ts'
import { createFilmTexts } from '../../../src/adapters/ffmpeg/film-texts.ts'
import { createLoudness } from '../../../src/adapters/ffmpeg/loudness.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createStills } from '../../../src/adapters/ffmpeg/stills.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { filmFfmpeg } from '../../../src/wiring/film-ffmpeg.ts'
import { audio } from '../../fixtures/film-descriptions.ts'
import { makeClip, programs } from '../../fixtures/films.ts'
import { bothFfmpegs } from '../tones.ts'

const clock = createSystemClock()
const { ffprobe } = await programs
const soon = () => AbortSignal.timeout(60_000)
const hex = (digit: number) => digit.toString(16).repeat(64)

/** Each shows the first seconds of the other file to an ffmpeg that opens it. */
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
    const start = filmFfmpeg(ffmpeg)
    const stills = createStills({ clock, start, folder: join(folder, 'stills') })
    const texts = createFilmTexts({ clock, folder: join(folder, 'texts'), start })
    const loudness = createLoudness({ clock, folder: join(folder, 'loud'), start })
    const pictures = createFilmPictures({ clock, start })
    await mkdir(join(folder, 'private'))
    // Named as what ffmpeg's own check of extensions lets pass.
    const other = await makeClip({ path: join(folder, 'private', 'other.ts'), seconds: 3 })
    const film = join(folder, 'film.mkv')
    const asked = async (digit: number) => ({
      still: await stills.still({ path: film, fingerprint: hex(digit), durationMs: 3_000 }),
      text: await texts.takeOut(
        { path: film, fingerprint: hex(digit), startMs: 0, bitrateBps: null, pacer: null, tracks: [{ stream: 1, codec: 'subrip' }] },
        { background: false, signal: soon() },
      ),
      loud: await loudness.measure({ path: film, fingerprint: hex(digit), bitrateBps: null, audio: [audio({ stream: 1 })] }, soon()),
    })

    await copyFile(other, film)
    const media = createMedia({ start: filmFfmpeg('ffmpeg', ffprobe), clock, indexFolder: join(folder, 'index') })
    t.ok(await media.probe(film, soon()), 'the film is one')
    const before = await asked(1)
    t.ok(before.still && before.loud, 'and gives what it is asked for')

    for (const [at, [kind, list]] of Object.entries(LISTS).entries()) {
      await rm(film)
      await writeFile(film, list(other))
      t.strictSame(await asked(at + 2), { still: undefined, text: false, loud: undefined }, kind)
      const track = { stream: 0, interlaced: false } as Parameters<typeof pictures.keyframes>[0]['track']
      const look = pictures.keyframes(
        { path: film, fingerprint: hex(5), bitrateBps: null, durationMs: 3_000, zeroMs: 0, track } as never,
        soon(),
      )
      await t.rejects(look[Symbol.asyncIterator]().next(), /could not read/, `${kind}, for pictures`)
    }
  })
}
