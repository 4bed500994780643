/** Runs the two verifiers of a copied log, ours and the independent one in Python, and checks whether their output names a tampering. */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FirstDifference } from '../../../src/app/operator/operator-commands.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { openLogCopy } from '../../../src/wiring/log-copy.ts'
import { findProgram } from '../../fixtures/programs.ts'
import type { Tampering } from './tamperings.ts'

const signal = new AbortController().signal
export const python = findProgram('python3')

export interface Kept {
  /** Signed notes, and the key that verifies them. */
  readonly checkpoints: string
  readonly key: string
}

export async function firstOf(file: string, { checkpoints, key }: Kept): Promise<FirstDifference | null> {
  const copy = await openLogCopy(file)
  try {
    const verified = await copy.verify({ checkpoints, keys: [key] }, () => {}, signal)
    if (isRefusal(verified)) throw new Error(verified.message)
    return verified.first
  } finally {
    await copy.close()
  }
}

/** The result for each log, in order. */
export function pythonOn(
  notes: string,
  logs: readonly string[],
): { readonly firsts: readonly (FirstDifference | null)[]; readonly code: number } {
  const { stdout, stderr, status } = spawnSync(python ?? '', [join(import.meta.dirname, 'verify_log.py'), notes, ...logs], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (stderr !== '') throw new Error(stderr)
  const lines = stdout.trim().split('\n')
  return { firsts: lines.map((line) => (JSON.parse(line) as { first: FirstDifference | null }).first), code: status ?? -1 }
}

/** A log that is as the whole one was up to a seq: its file, or how it differs. */
export type PythonJob = { readonly after: number } & ({ readonly log: string } | { readonly edits: readonly unknown[] })

export interface ManyInPython {
  /** Of the whole log. */
  readonly whole: FirstDifference | null
  firstOf(job: PythonJob): Promise<FirstDifference | null>
  close(): void
}

/** For many logs that begin as the whole one does. */
export async function manyInPython(notes: string, whole: string): Promise<ManyInPython> {
  const program = [join(import.meta.dirname, 'verify_many.py'), notes, whole]
  const child = spawn(python ?? '', program, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  async function answer(): Promise<FirstDifference | null> {
    const { value } = await lines.next()
    const said = JSON.parse(value ?? '{}') as { readonly first?: FirstDifference | null }
    if (said.first === undefined) throw new Error(`The verifier in Python said ${value}`)
    return said.first
  }
  return {
    whole: await answer(),
    firstOf(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`)
      return answer()
    },
    close: () => child.stdin.end(),
  }
}

/**
 * Names the event itself, its stream if something is missing, or the two checkpoints around it. `sizes`: of the checkpoints, in rising
 * order.
 */
export function isNamed({ kind, seq, upTo, stream }: FirstDifference, did: Tampering, sizes: readonly number[]): boolean {
  if (kind === 'truncated') return did.way === 'truncate' && seq === did.seq
  const next = sizes.find((size) => size >= did.seq) ?? 0
  if (kind === 'changed') return seq <= did.seq && did.seq <= upTo && upTo === next && (seq === 1 || sizes.includes(seq - 1))
  return seq === did.seq || (['missing', 'swapped', 'altered'].includes(kind) && stream === did.stream && seq > did.seq && seq <= next)
}
