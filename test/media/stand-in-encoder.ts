/**
 * A fake ffmpeg on a machine with a graphics card. It accepts the arguments of an ffmpeg with h264_nvenc, rejects those that lack a
 * required
 * option, and encodes with libx264 instead.
 * It shows how agents, owners and players handle such an encoder: its proof, selection, separation from others, loss and replacement. It
 * cannot show that a real card and driver accept these arguments, the quality and speed of their output, or that they place keyframes as
 * requested: the proof at an agent's start does that.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs } from '../fixtures/media-files.ts'

/**
 * `deaf`: it places keyframes itself, not where requested. `full`: its card accepts no more sessions. `stuck`: its driver never answers.
 * `reset`: its driver is reset after six seconds of film.
 */
export type Habit = 'works' | 'deaf' | 'full' | 'stuck' | 'reset'

export interface StandIn {
  readonly ffmpegPath: string
  /** From now on; running processes are not affected. */
  behave(habit: Habit): void
  close(this: void): void
}

export async function standInEncoder(habit: Habit = 'works'): Promise<StandIn> {
  const { ffmpeg } = await programs
  const folder = mkdtempSync(join(tmpdir(), 'marquee-stand-in-'))
  const [ffmpegPath, habitFile] = [join(folder, 'ffmpeg'), join(folder, 'habit')]
  const behave = (next: Habit): void => writeFileSync(habitFile, next)
  behave(habit)
  writeFileSync(ffmpegPath, scriptOf(ffmpeg, habitFile))
  chmodSync(ffmpegPath, 0o755)
  return { ffmpegPath, behave, close: () => void (existsSync(folder) && rmSync(folder, { recursive: true })) }
}

const scriptOf = (ffmpeg: string, habitFile: string): string => `#!${process.execPath} --no-warnings
// Stands for an ffmpeg on a machine with a graphics card; see test/media/stand-in-encoder.ts for what it cannot show.
const { spawnSync } = require('node:child_process')
const { readFileSync, existsSync } = require('node:fs')
const { delimiter, join } = require('node:path')

const NEEDED = { '-rc': 'vbr', '-cq': '25', '-b:v': '0', '-bf': '0', '-forced-idr': '1', '-no-scenecut': '1', '-profile:v': 'high' }
const GIVEN = ['-maxrate', '-bufsize', '-level:v', '-force_key_frames']
const ITS_OWN = ['-tune', '-rc', '-cq', '-b:v', '-rc-lookahead', '-no-scenecut']

const found = (name) => (name.includes('/') ? name : process.env.PATH.split(delimiter).map((one) => join(one, name)).find((one) => existsSync(one)))
const program = found(${JSON.stringify(ffmpeg)})
const become = (args) => process.execve(program, [program, ...args], process.env)
const give = (text) => { console.error(text); process.exit(1) }

const args = process.argv.slice(2)
const valueOf = (name) => args[args.indexOf(name) + 1]
if (!args.includes('h264_nvenc')) become(args)
for (const [name, value] of Object.entries(NEEDED)) if (valueOf(name) !== value) give('[h264_nvenc @ 0x1] stand-in: needs ' + name + ' ' + value)
for (const name of GIVEN) if (!args.includes(name)) give('[h264_nvenc @ 0x1] stand-in: needs ' + name)
const habit = readFileSync(${JSON.stringify(habitFile)}, 'utf8')
if (habit === 'full') give('[h264_nvenc @ 0x1] OpenEncodeSessionEx failed: out of memory (10): (no details)\\nConversion failed!')
if (habit === 'reset') {
  const made = inSoftware(false)
  spawnSync(program, [...made.slice(0, -1), '-to', '6', made.at(-1)], { stdio: 'inherit' })
  give('[h264_nvenc @ 0x1] Failed locking bitstream buffer: unknown error (20)')
}
if (habit === 'stuck') setInterval(() => undefined, 1000)
else become(inSoftware(habit === 'deaf'))

function inSoftware(deaf) {
  const left = deaf ? [...ITS_OWN, '-force_key_frames', '-g'] : ITS_OWN
  const kept = args.flatMap((one, index) => (left.includes(one) || left.includes(args[index - 1]) ? [] : [one]))
  const own = ['-crf', '25', '-sc_threshold', '0', ...(deaf ? ['-g', '12'] : [])]
  return kept.flatMap((one, index) => (one === 'h264_nvenc' ? ['libx264', ...own] : kept[index - 1] === '-preset' ? ['superfast'] : [one]))
}
`
