/**
 * Builds `dist-bundle/marquee-<version>-linux-<architecture>.tar.gz`: one folder that runs on a Linux machine without Node, npm and
 * ffmpeg, by its command `marquee`. It takes GNU tar, gzip and npm's registry, and builds for either architecture on any. `npm run
 * bundle` builds the programs and the web client before.
 *
 * `-- --arch arm64` instead of the architecture of this machine; `--output`: where to; `--level`: of compression, 1 to 9; `--folder`: leaves
 * the folder instead of an archive.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { assembleProgramFolder } from './program-folder.ts'

const ROOT = join(import.meta.dirname, '..')

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string }
const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: process.arch },
    output: { type: 'string', default: join(ROOT, 'dist-bundle') },
    level: { type: 'string', default: '6' },
    folder: { type: 'boolean', default: false },
  },
})
const { arch: architecture, output, level } = values
if (architecture !== 'x64' && architecture !== 'arm64') throw new Error(`--arch ${architecture}: give x64 or arm64`)
if (!/^[1-9]$/.test(level)) throw new Error(`--level ${level}: give a number from 1 to 9`)
const name = `marquee-${version}-linux-${architecture}`
const folder = join(output, name)

rmSync(folder, { recursive: true, force: true })
assembleProgramFolder(folder, { architecture, withFfmpeg: true })
mkdirSync(join(folder, 'build'))
copyFileSync(join(ROOT, 'build/marquee.js'), join(folder, 'build/marquee.js'))
copyFileSync(join(ROOT, 'build/bundle/marquee'), join(folder, 'marquee'))
chmodSync(join(folder, 'marquee'), 0o755)
if (values.folder) console.log(folder)
else pack()

function pack(): void {
  // Whatever the umask and the account of whoever builds.
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=a+rX,u+w,go-w', '--sort=name']
  const archive = `${folder}.tar.gz`
  execFileSync('tar', ['--create', `--use-compress-program=gzip -n -${level}`, ...owner, `--file=${archive}`, '-C', output, name])
  rmSync(folder, { recursive: true })
  console.log(`${archive}, ${(statSync(archive).size / 1e6).toFixed(1)} MB`)
}
