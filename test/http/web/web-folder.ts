/** A small build of the web client in a temporary folder, in the format of `web/build.ts`. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Test } from 'tap'

export const ASSETS: Readonly<Record<string, string>> = {
  'main-AAAAAAAA.js': 'console.log("the client")',
  'home-BBBBBBBB.js': 'console.log("home")',
  'film-CCCCCCCC.js': 'console.log("film")',
  'main-DDDDDDDD.css': 'body { margin: 0 }',
  'icon-EEEEEEEE.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'icon-512-EEEEEEEE.png': 'an image',
}

export interface WebFolder {
  readonly path: string
  /** Writes a build; its id is in the shell. */
  build(id: string): Promise<void>
  /** Removes it, like a failed build. */
  fail(): Promise<void>
}

export async function webFolder(t: Test): Promise<WebFolder> {
  const path = await mkdtemp(join(tmpdir(), 'marquee-web-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  const manifest = join(path, 'manifest.json')
  let builds = 0

  async function build(id: string): Promise<void> {
    await mkdir(join(path, 'assets'), { recursive: true })
    for (const [name, text] of Object.entries(ASSETS)) {
      const file = join(path, 'assets', name)
      await Promise.all([writeFile(file, text), writeFile(`${file}.gz`, gzipSync(text)), writeFile(`${file}.br`, brotliCompressSync(text))])
    }
    await writeFile(manifest, JSON.stringify(manifestOf(id)))
    // Two builds within the resolution of the file system's clock must differ.
    builds += 1
    await utimes(manifest, builds, builds)
  }

  await build('first')
  return { path, build, fail: () => rm(manifest) }
}

const manifestOf = (id: string) => ({
  build: id,
  shell: `<!doctype html><html data-build="${id}"{{html}}><meta media="{{dark}}"><meta media="{{light}}"><style>i{}</style>{{head}}<body>{{tail}}`,
  styleHash: "'sha256-of the style'",
  entry: ['main-AAAAAAAA.js'],
  style: 'main-DDDDDDDD.css',
  app: JSON.stringify({ name: 'Marquee', description: `Of the build ${id}.` }),
  pages: [
    { path: '/', scripts: ['home-BBBBBBBB.js'], preload: '/v1/home?limit=12', forAnyone: false },
    { path: '/films/:id', scripts: ['film-CCCCCCCC.js'], preload: '/v1/movies/:id', forAnyone: false },
    { path: '/sign-in', scripts: [], preload: null, forAnyone: true },
  ],
  sizes: {},
})
