/** Runs players without remote control: they play a presentation from start to end, and their errors are read from their output. */
import { execa } from 'execa'

export interface Played {
  readonly errors: readonly string[]
  /** Duration of the decoded film, seconds; undefined if the player does not report it. */
  readonly decodedS?: number
}

interface Play {
  readonly program: string
  readonly master: string
  readonly durationS: number
}

const EXTRA_MS = 60_000
const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Plays everything as fast as possible: video, each audio track, each subtitle. */
export async function playWithFfmpeg({ program, master, durationS }: Play): Promise<Played> {
  const args = ['-v', 'error', '-nostdin', '-progress', 'pipe:1', '-i', master, '-map', '0:v:0', '-map', '0:a:0?', '-f', 'null', '-']
  const { stdout, stderr } = await execa(program, args, { timeout: Math.round(durationS * 2000) + EXTRA_MS, reject: false })
  return { errors: lines(stderr), decodedS: Number([...stdout.matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1] ?? 0) / 1e6 }
}

/** As fast as it decodes. */
export async function playWithGstreamer({ program, master, durationS }: Play): Promise<Played> {
  const sinks = ['video-sink=fakesink', 'audio-sink=fakesink']
  const args = ['-q', 'playbin3', `uri=${master}`, ...sinks]
  const { all, timedOut, exitCode } = await execa(program, args, {
    timeout: Math.round(durationS * 1500) + EXTRA_MS,
    reject: false,
    all: true,
  })
  const complaints = lines(all).filter((line) => /error|critical|warning/i.test(line))
  const verdict = timedOut ? ['it does not come to an end'] : exitCode === 0 ? [] : [`exit code ${exitCode}`]
  return { errors: [...complaints, ...verdict] }
}
