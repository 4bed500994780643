/**
 * Builds a Debian package into `dist-debian`, for the architecture of this machine: the folder of the program, a systemd unit, and the
 * command `marquee` with its completions. It takes dpkg-deb and npm's registry. `npm run debian` builds the programs and the web client
 * before.
 *
 * `-- --version 1.2.3` instead of the version in package.json; `--level`: of compression, 0 to 9; or `none`.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { assembleProgramFolder, type Architecture } from './program-folder.ts'

const ROOT = join(import.meta.dirname, '..')
const PARTS = join(import.meta.dirname, 'debian')
const OUTPUT = join(ROOT, 'dist-debian')
const HOME = 'usr/lib/marquee'
/** Debian's names of Node's. */
const ARCHITECTURES: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }
const COMPLETIONS: Readonly<Record<string, string>> = {
  bash: 'usr/share/bash-completion/completions/marquee',
  zsh: 'usr/share/zsh/vendor-completions/_marquee',
  fish: 'usr/share/fish/vendor_completions.d/marquee.fish',
}

interface Manifest {
  readonly version: string
  readonly description: string
}

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
const { values } = parseArgs({
  options: { version: { type: 'string', default: packageJson.version }, level: { type: 'string', default: '6' } },
})
const { arch: architecture } = process
if (process.platform !== 'linux' || (architecture !== 'x64' && architecture !== 'arm64'))
  throw new Error('Packages are built on Linux, on x64 or arm64')
const name = `marquee_${values.version}_${ARCHITECTURES[architecture]}`
const tree = join(OUTPUT, name)

rmSync(tree, { recursive: true, force: true })
assembleProgramFolder(join(tree, HOME), { architecture, withFfmpeg: false })
addService()
addCommand()
addControl(ARCHITECTURES[architecture])
const compression = values.level === 'none' ? ['-Znone'] : ['-Zxz', `-z${values.level}`]
execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, `${tree}.deb`], { stdio: 'ignore' })
rmSync(tree, { recursive: true })
console.log(`${tree}.deb, ${(statSync(`${tree}.deb`).size / 1e6).toFixed(1)} MB`)

/** The unit of docs/systemd, with the places of the package. */
function addService(): void {
  const unit = readFileSync(join(ROOT, 'docs/systemd/marquee.service'), 'utf8')
    .replace(/^# .*\n/, '')
    .replaceAll('/opt/marquee', `/${HOME}`)
    .replaceAll('/usr/bin/node', `/${HOME}/bin/node`)
  write('usr/lib/systemd/system/marquee.service', unit)
  write('etc/marquee/marquee.env', readFileSync(join(PARTS, 'marquee.env'), 'utf8'), 0o640)
  // The command line reads the settings in the `.env` of its working directory.
  symlinkSync('marquee.env', join(tree, 'etc/marquee/.env'))
}

function addCommand(): void {
  write('usr/bin/marquee', readFileSync(join(PARTS, 'marquee'), 'utf8'), 0o755)
  const node = join(tree, HOME, 'bin/node')
  for (const [shell, file] of Object.entries(COMPLETIONS)) {
    const args = ['--disable-warning=ExperimentalWarning', join(tree, HOME, 'dist/cli.js'), 'completion', shell]
    write(file, execFileSync(node, args, { encoding: 'utf8' }))
  }
}

function addControl(of: string): void {
  const control = {
    Package: 'marquee',
    Version: values.version,
    Architecture: of,
    Maintainer: 'Marquee <marquee@localhost>',
    'Installed-Size': Math.ceil(bytesIn(tree) / 1024),
    Depends: 'adduser, ffmpeg, libc6 (>= 2.28), libgcc-s1, libstdc++6',
    Section: 'video',
    Priority: 'optional',
    Description: packageJson.description,
  }
  write(
    'DEBIAN/control',
    Object.entries(control)
      .map(([field, value]) => `${field}: ${value}\n`)
      .join(''),
  )
  write('DEBIAN/conffiles', '/etc/marquee/marquee.env\n')
  for (const script of ['postinst', 'prerm', 'postrm']) write(`DEBIAN/${script}`, readFileSync(join(PARTS, script), 'utf8'), 0o755)
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name: file }) => sum + statSync(join(parentPath, file)).size, 0)
}

function write(path: string, text: string, mode = 0o644): void {
  const file = join(tree, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  // Whatever the umask of whoever builds.
  chmodSync(file, mode)
}
