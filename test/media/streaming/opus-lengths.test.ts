/** Copied Opus whose packets last from 2.5 to 60 ms: every packet of the film is there, at its time and with its length. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import { programs } from '../../fixtures/media-files.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { openEngineFixture, renditionNamed } from '../engine-fixture.ts'
import { runFrom } from '../run-from.ts'
import { packetsOf } from './media-facts.ts'

const list = (text: string): readonly string[] => text.split(' ')
const SECONDS = 7
const FILM = list(`-f lavfi -i testsrc2=size=192x108:rate=25:duration=${SECONDS} -f lavfi -i sine=frequency=440:duration=${SECONDS}`)
const VIDEO = list('-c:v libx264 -preset ultrafast -crf 35 -pix_fmt yuv420p -g 50')
const TICKS_PER_MS = 48
/** What the container's milliseconds leave open. */
const MOST_OFF_MS = 1.5
const OPUS = clientCapabilities({ audio: [{ codec: 'opus', maxChannels: 2 }] })

async function ffmpegMakes(...args: readonly string[]): Promise<void> {
  const { ffmpeg } = await programs
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args], { timeout: 60_000 })
}

const opusOf = async (ms: number, path: string): Promise<void> =>
  ffmpegMakes(...FILM, ...VIDEO, ...list(`-c:a libopus -ac 2 -frame_duration ${ms}`), path)

/** Packets of 20 ms, then of 60 ms. */
async function mixed(folder: string, path: string): Promise<void> {
  for (const ms of [20, 60]) await opusOf(ms, join(folder, `${ms}.mkv`))
  await writeFile(join(folder, 'list'), 'file 20.mkv\nfile 60.mkv\n')
  await ffmpegMakes('-f', 'concat', '-i', join(folder, 'list'), '-c', 'copy', path)
}

const hashOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

for (const [name, lengths] of [
  ['2.5.mkv', [2.5]],
  ['5.mkv', [5]],
  ['10.webm', [10]],
  ['20.mkv', [20]],
  ['40.mp4', [40]],
  ['60.mkv', [60]],
  ['mixed.mkv', [20, 60]],
] as const) {
  t.test(`Opus in packets of ${lengths.join(' and ')} ms (${name}) is copied whole`, async (t) => {
    const folder = t.testdir()
    const path = join(folder, name)
    await (lengths.length > 1 ? mixed(folder, path) : name.endsWith('webm') ? webm(lengths[0], path) : opusOf(lengths[0], path))
    const fixture = await openEngineFixture(t)
    const source = { ...(await fixture.source(path)), options: { capabilities: OPUS } }
    const { plan, rendition } = await renditionNamed(fixture, source, 'audio-0')
    const whole = await runFrom({ path, plan, rendition, from: 0 })
    t.strictSame(whole.missing, [])
    const tables = [...whole.segments.values()].map(segmentTable)
    const served = tables.flatMap(({ samples }) => samples)
    const film = await packetsOf(path, rendition.stream)
    const hashes = new Set(film.map(({ hash }) => hash.replace('MD5:', '')))
    const own = served.filter(({ bytes }) => hashes.has(hashOf(bytes)))
    t.ok(served.length - own.length <= 2, `${served.length - own.length} packets are not the film's`)
    t.strictSame(
      own.map(({ bytes }) => `MD5:${hashOf(bytes)}`),
      film.map(({ hash }) => hash),
    )
    const off = own.map(({ pts }, index) => Math.abs(pts / TICKS_PER_MS - ((film[index]?.ms ?? Infinity) - plan.zeroMs)))
    t.ok(Math.max(...off) <= MOST_OFF_MS, `${Math.max(...off)} ms off`)
    const odd = own.slice(0, -1).filter(({ duration }) => !lengths.some((ms) => Math.abs(ms - duration / TICKS_PER_MS) <= 1))
    t.ok(odd.length <= lengths.length, `${odd.length} of other lengths, such as ${odd[0]?.duration} ticks`)
    for (let from = 1; from < segmentCount(rendition.grid); from++) {
      const run = await runFrom({ path, plan, rendition, from, count: 1 })
      t.ok(Buffer.from(run.segments.get(from)!).equals(whole.segments.get(from)!), `segment ${from} of a run from there`)
    }
  })
}

async function webm(ms: number, path: string): Promise<void> {
  const vp9 = list('-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 60k -g 50')
  await ffmpegMakes(...FILM, ...vp9, ...list(`-c:a libopus -ac 2 -frame_duration ${ms}`), path)
}
