/**
 * The year of a household whose log is tampered with afterwards, with the checkpoints that were taken on the way.
 *
 * `MARQUEE_TEST_YEAR=<folder>` keeps it in that folder, and takes it from there if it is there: 200,000 events take a quarter of an hour.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { liveAYear } from '../history/household.ts'
import type { Kept } from './verifiers.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** `MARQUEE_TEST_HOUSEHOLD=2650`: as many viewings as make 200,000 events. */
const VIEWINGS = Number(process.env['MARQUEE_TEST_HOUSEHOLD'] ?? 12)
const CHECKPOINTS = 50
const SEED = 17

export interface LivedYear extends Kept {
  /** A file of the checkpoints. */
  readonly notes: string
  /** Of the checkpoints, in rising order. */
  readonly sizes: readonly number[]
}

export function folderOfYear(t: Test, engine: string): string {
  const given = process.env['MARQUEE_TEST_YEAR']
  const folder = join(given ?? testFolder(t), engine)
  mkdirSync(folder, { recursive: true })
  return folder
}

export const isLived = (folder: string): boolean => existsSync(join(folder, 'key'))

/** `log`: instead of a file in the folder. `keep`: called with everything still open. */
export async function liveYear(
  t: Test,
  { folder, log, keep }: { folder: string; log?: EventLog; keep?: () => Promise<void> },
): Promise<void> {
  const data = join(folder, 'data')
  mkdirSync(data)
  const taken: string[] = []
  const take = async ({ seen, checkpoints }: Pick<Awaited<ReturnType<typeof liveAYear>>['node'], 'seen' | 'checkpoints'>) => {
    await seen()
    taken.push(await checkpoints.current())
  }
  const startMs = performance.now()
  const onTheWay = { times: CHECKPOINTS, work: take }
  const { node } = await liveAYear(t, { folder: data, seed: SEED, viewings: VIEWINGS, onTheWay, ...(log ? { log } : {}) })
  await take(node)
  t.strictSame(node.problems, [], 'nothing went wrong in the background')
  await keep?.()
  writeFileSync(join(folder, 'checkpoints'), taken.join('\n'))
  writeFileSync(join(folder, 'key'), await node.checkpoints.verifier())
  t.comment(`lived in ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
}

export function keptOf(folder: string): LivedYear {
  const notes = join(folder, 'checkpoints')
  const checkpoints = readFileSync(notes, 'utf8')
  const sizes = [...checkpoints.matchAll(/^(\d+)\n[A-Za-z0-9+/]{43}=$/gm)].map(([, size]) => Number(size))
  return { notes, checkpoints, key: readFileSync(join(folder, 'key'), 'utf8'), sizes }
}
