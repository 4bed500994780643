/** Tests the image colours that the movie list of a server reports, on a folder of films. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import sharp from 'sharp'
import t from 'tap'
import { programs } from '../../fixtures/media-files.ts'
import { signIn, startServer, type Api } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const PATIENCE_MS = 60_000

interface Item {
  readonly title: string
  readonly images: { readonly posterTint: string | null; readonly backdropTint: string | null }
}

const plain = (background: string, width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()

/** Red, green and blue, 0 to 255. */
const channelsOf = (tint: string | null | undefined): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt((tint ?? '').slice(at, at + 2), 16))

async function listWhen(api: Api, isThere: (items: readonly Item[]) => boolean): Promise<readonly Item[]> {
  const startMs = performance.now()
  for (;;) {
    const { items = [] } = (await api.send('GET', '/v1/movies')).json as { readonly items?: readonly Item[] }
    if (isThere(items) || performance.now() - startMs > PATIENCE_MS) return items
    await sleep(100)
  }
}

t.test('after a scan the list says which colours the pictures have, beside a film and out of one', { timeout: 120_000 }, async (t) => {
  const { ffmpeg } = await programs
  const [films, dataDir] = [join(testFolder(t), 'films'), join(t.testdirName, 'data')]
  for (const folder of [dataDir, join(films, 'A Film (2019)'), join(films, 'Another (2020)')]) mkdirSync(folder, { recursive: true })
  for (const [name, colour] of [
    ['A Film (2019)', 'black'],
    ['Another (2020)', 'blue'],
  ] as const) {
    const input = ['-f', 'lavfi', '-i', `color=${colour}:size=320x180:rate=10:d=3`]
    await execa(ffmpeg, ['-v', 'error', '-nostdin', ...input, '-pix_fmt', 'yuv420p', join(films, name, `${name}.mp4`)])
  }
  writeFileSync(join(films, 'A Film (2019)', 'poster.jpg'), await plain('#c02020', 600, 900))
  writeFileSync(join(films, 'A Film (2019)', 'fanart.jpg'), await plain('#20c020', 1920, 1080))

  const server = await startServer({ dataDir, media: films })
  t.teardown(() => server.end('SIGKILL'))
  const api = await signIn(server.url)
  const list = await listWhen(api, (items) => items.length === 2 && items.every(({ images }) => images.posterTint !== null))
  const [first, second] = ['A Film', 'Another'].map((title) => list.find((item) => item.title === title))
  const isNear = (tint: string | null | undefined, colour: readonly number[]) =>
    channelsOf(tint).every((value, at) => Math.abs(value - (colour[at] ?? 0)) <= 8)
  t.ok(isNear(first?.images.posterTint, [0xc0, 0x20, 0x20]), `red: ${first?.images.posterTint}`)
  t.ok(isNear(first?.images.backdropTint, [0x20, 0xc0, 0x20]), `green: ${first?.images.backdropTint}`)
  t.ok(isNear(second?.images.posterTint, [0, 0, 0xff]), `a frame of the blue film: ${second?.images.posterTint}`)
  t.equal(second?.images.backdropTint, null)
  t.equal(await server.end('SIGTERM'), 0)
})
