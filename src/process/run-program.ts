/** Runs the process of a program that serves no requests (a projector, a transcode agent), from its first line to its exit code. */
import type { Config } from '../config/config.ts'
import type { Clock } from '../ports/clock.ts'
import { endProcess } from './ending.ts'
import { collectWhenIdle } from './idle-collection.ts'
import { oneLine } from './start-failure.ts'
import { listenForStop } from './stop-signals.ts'
import { complain, stopWithin } from './stopping.ts'

export interface Program {
  /** Starts working; returns lines for the person who started it. */
  start(): Promise<readonly string[]>
  /** Stops the work and closes resources; may be called in any state. */
  stop(): Promise<void>
}

export type CreateProgram = (config: Config) => Promise<Program>

export interface ProgramOptions {
  readonly config: Config
  readonly createProgram: CreateProgram
  readonly clock: Clock
}

const INTERRUPTED = 130

/** Runs until a signal ends it; returns the exit code. */
export async function runProgram({ config, createProgram, clock }: ProgramOptions): Promise<number> {
  const { asked } = listenForStop({ clock, insist: () => endProcess(INTERRUPTED) })
  let program: Program | undefined
  const start = async () => {
    program = await createProgram(config)
    for (const line of await program.start()) console.log(line)
    collectWhenIdle({ clock })
  }
  const stop = () => stopWithin(clock, async () => program?.stop())
  try {
    await Promise.race([start(), asked])
  } catch (cause) {
    complain(`This program could not start: ${oneLine(cause)}`)
    await stop()
    return 1
  }
  await asked
  console.log('Stopping.')
  return stop()
}
