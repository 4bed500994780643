/**
 * Assembles the folder of an installed Marquee, which runs on a machine without Node and npm: the built programs, the web client, Node,
 * the packages that they need, with the native parts of one architecture, docs and licences. The Debian package and the archive contain
 * it. It takes npm's registry; npm checks what it fetches against the lock files.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export type Architecture = 'x64' | 'arm64'

export interface ProgramFolderOptions {
  readonly architecture: Architecture
  /** Whether the packaged ffmpeg is part of it, if there is one for the architecture: 203 MB. */
  readonly withFfmpeg: boolean
}

const ROOT = join(import.meta.dirname, '..')
/** Names Node for each architecture. */
const NODE_PACKAGES = join(import.meta.dirname, 'node')
/** What only builds need. */
const BUILD_ONLY = ['esbuild', '@esbuild', '.bin']
/** Large packages whose code the built web client contains. */
const IN_WEB_CLIENT = ['hls.js', 'lucide']
/** Folders of the two programs, and the programs' names. */
const FFMPEG: Readonly<Record<string, string>> = { '@ffmpeg-binary': 'ffmpeg', '@ffprobe-installer': 'ffprobe' }
const EXECUTABLE = 0o755

export function assembleProgramFolder(folder: string, options: ProgramFolderOptions): void {
  mkdirSync(folder, { recursive: true })
  addPackages(folder, options)
  addNode(folder, options.architecture)
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  for (const part of ['dist', 'web/dist', 'docs']) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
}

function addPackages(folder: string, { architecture, withFfmpeg }: ProgramFolderOptions): void {
  install(ROOT, folder, architecture)
  const packages = join(folder, 'node_modules')
  for (const name of IN_WEB_CLIENT) addLicence(folder, name, join(packages, name))
  for (const name of [...BUILD_ONLY, ...IN_WEB_CLIENT]) rmSync(join(packages, name), { recursive: true, force: true })
  for (const [scope, program] of Object.entries(FFMPEG)) {
    const file = join(packages, scope, `linux-${architecture}`, program)
    if (!withFfmpeg) rmSync(join(packages, scope), { recursive: true, force: true })
    else if (existsSync(file)) chmodSync(file, EXECUTABLE)
    else if (architecture === 'x64') throw new Error(`npm did not install ${program}: is its registry reachable?`)
  }
  // npm skips an optional package that it cannot fetch, without an error.
  const native = [
    `@img/sharp-linux-${architecture}`,
    `@img/sharp-libvips-linux-${architecture}`,
    `@parcel/watcher-linux-${architecture}-glibc`,
  ]
  const missing = native.filter((name) => !existsSync(join(packages, name)))
  if (missing.length > 0) throw new Error(`npm did not install ${missing.join(', ')}: is its registry reachable?`)
}

function addNode(folder: string, architecture: Architecture): void {
  const making = join(folder, 'node')
  mkdirSync(making)
  install(NODE_PACKAGES, making, architecture)
  const node = join(making, 'node_modules', `node-linux-${architecture}`)
  if (!existsSync(node)) throw new Error(`npm did not install Node for linux-${architecture}: is its registry reachable?`)
  mkdirSync(join(folder, 'bin'))
  renameSync(join(node, 'bin/node'), join(folder, 'bin/node'))
  chmodSync(join(folder, 'bin/node'), EXECUTABLE)
  addLicence(folder, 'node', node)
  rmSync(making, { recursive: true })
}

/** Installs what the lock file of a folder names, for any architecture: so no install script runs, and no package needs one. */
function install(from: string, into: string, architecture: Architecture): void {
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(from, file), join(into, file))
  const target = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc']
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...target], {
    cwd: into,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(join(into, 'package-lock.json'))
}

/** Of code whose package itself is not in the folder. */
function addLicence(folder: string, name: string, source: string): void {
  for (const file of readdirSync(source).filter((one) => /^licen[cs]e/i.test(one))) {
    mkdirSync(join(folder, 'licences', name), { recursive: true })
    copyFileSync(join(source, file), join(folder, 'licences', name, file))
  }
}
