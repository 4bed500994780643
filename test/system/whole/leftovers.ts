/** Finds leftovers of playback: ffmpeg without an agent, unfinished sessions, leases that nobody releases. Linux only. */
import { readdirSync, readlinkSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { basename, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { argumentsOf, childrenOf } from '../../bench/process-cpu.ts'
import type { Program } from '../cluster/program.ts'
import { openClusterLeases } from '../cluster/engines.ts'
import type { PlayersFixture } from './players-fixture.ts'

export interface Left {
  /** The work of ffmpegs that run although every session has ended. */
  readonly ffmpegs: readonly string[]
  /** Ended sessions that are still listed as active. */
  readonly active: number
}

/** From this age on a suspended or lost job counts as a leftover. */
const LEAVE_MS = 15_000
/** A node keeps an ended session for a minute after its last request. */
const LEASES_MS = 90_000
const LOOK_EVERY_MS = 200

export const ffmpegsOf = (program: Pick<Program, 'pid'>): readonly number[] => childrenOf(program.pid()).filter(isFfmpeg)

/** ffmpegs whose parent program has ended, after this time at most; and when the last one ended. */
export async function orphansOf(
  fixture: PlayersFixture,
  withinMs: number,
): Promise<{ readonly count: number; readonly goneAfterMs: number }> {
  const startMs = performance.now()
  for (;;) {
    const owned = new Set(fixture.cluster.programs.flatMap((program) => childrenOf(program.pid())))
    const count = ffmpegsBelow(fixture.folder).filter((pid) => !owned.has(pid)).length
    const goneAfterMs = performance.now() - startMs
    if (count === 0 || goneAfterMs > withinMs) return { count, goneAfterMs }
    await sleep(LOOK_EVERY_MS)
  }
}

/** Leftovers some time after all of these sessions have ended. */
export async function leftAfter(fixture: PlayersFixture, sessionIds: readonly string[]): Promise<Left> {
  for (const endMs = performance.now() + LEAVE_MS; ; await sleep(LOOK_EVERY_MS)) {
    const { json } = await fixture.api.send('GET', '/v1/playback/sessions/active?limit=100')
    const items = (json['items'] ?? []) as unknown as readonly { id: string }[]
    const active = items.filter(({ id }) => sessionIds.includes(id)).length
    const ffmpegs = ffmpegsBelow(fixture.folder)
      .filter((pid) => !isBehind(pid))
      .map((pid) => argumentsOf(pid).join(' '))
    const left = { ffmpegs, active }
    if (ffmpegs.length + active === 0 || performance.now() > endMs) return left
  }
}

/** Session leases that are held some time after every player has left. */
export async function leasesLeft({ servers, sessionIds }: PlayersFixture): Promise<number> {
  const { leases, close } = await openClusterLeases(servers)
  try {
    for (const endMs = performance.now() + LEASES_MS; ; await sleep(LOOK_EVERY_MS)) {
      const held = await Promise.all(sessionIds.map((id) => leases.held(`playback.${id}`)))
      const count = held.filter(Boolean).length
      if (count === 0 || performance.now() > endMs) return count
    }
  } finally {
    await close()
  }
}

/** Found by the programs' working folder, whatever their arguments are. */
export function ffmpegsBelow(folder: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => isFfmpeg(pid) && `${folderOf(pid)}${sep}`.startsWith(`${folder}${sep}`))
}

const isFfmpeg = (pid: number): boolean => basename(argumentsOf(pid)[0] ?? '') === 'ffmpeg'

/** Background work: agents' encoder trials, thumbnails and loudness analysis, which takes its time on a busy machine. */
function isBehind(pid: number): boolean {
  try {
    return getPriority(pid) === constants.priority.PRIORITY_LOW
  } catch {
    return true
  }
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
