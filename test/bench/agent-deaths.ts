/** Measures how soon a player gets its next segment when the agent that makes it dies or is suspended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ffmpegsOf } from '../system/whole/leftovers.ts'
import type { AgentSite } from './agent-site.ts'
import type { BenchFiles } from './streaming-files.ts'
import type { Player } from './streaming-server.ts'
import { median, type Report } from './table.ts'

interface Deaths {
  /** One film per round, because finished segments are cached. */
  readonly films: BenchFiles
  readonly signal: 'SIGKILL' | 'SIGSTOP'
}

const DEATHS = 4
/** A segment that takes this long is not cached yet: an agent is working on it. */
const PENDING_MS = 250
/** The film's first segments; the work ahead ends before the last of them. */
const MOST_PULLED = 40
const GOAL_S = 8
const BUFFERED_S = 10
/** Agents announce themselves at least this often. */
const SETTLE_MS = 6_000

export async function measureDeaths(report: Report, site: AgentSite, { films, signal }: Deaths): Promise<void> {
  const titles = signal === 'SIGKILL' ? films.titles.slice(0, DEATHS) : films.titles.slice(DEATHS, 2 * DEATHS)
  const [gapsS, usualS]: [number[], number[]] = [[], []]
  for (const title of titles) {
    const player = await site.play(title)
    const death = await dieDuring(site, player, signal)
    await player.end()
    await sleep(SETTLE_MS)
    if (!death) continue
    gapsS.push(death.gapMs / 1000)
    usualS.push(death.usualMs / 1000)
  }
  const most = Math.max(0, ...gapsS)
  const what = `agent ${signal === 'SIGKILL' ? 'killed' : 'held'}`
  report({
    what: `${what}: until the next segment`,
    ours: `median ${median(gapsS).toFixed(1)}, most ${most.toFixed(1)} s (of ${gapsS.length})`,
    yardstick: `median ${median(usualS).toFixed(1)} s (a segment without it)`,
    ratio: median(gapsS) / median(usualS),
    goal: `<= ${GOAL_S} s`,
    met: gapsS.length > 0 && most <= GOAL_S,
  })
  report({
    what: `${what}: stall of a player with ${BUFFERED_S} s`,
    ours: `${Math.max(0, most - BUFFERED_S).toFixed(1)} s`,
    goal: '0',
    met: gapsS.length > 0 && most <= BUFFERED_S,
  })
}

/** Fetches segments as fast as they are made; the agent dies while one is pending. Undefined if none was ever pending. */
async function dieDuring(
  { cluster }: AgentSite,
  player: Player,
  signal: Deaths['signal'],
): Promise<{ readonly gapMs: number; readonly usualMs: number } | undefined> {
  const quality = player.qualities.findLast(({ method }) => method === 'transcode')?.name ?? ''
  const waitedMs: number[] = []
  for (let segment = 0; segment < MOST_PULLED; segment++) {
    const pulling = player.get(`${quality}/seg-${segment}.m4s`)
    const isPending = await Promise.race([pulling.then(() => false), sleep(PENDING_MS, true)])
    if (!isPending || waitedMs.length < 2) {
      const { ms } = await pulling
      if (isPending) waitedMs.push(ms)
      continue
    }
    const [agent] = cluster.agents.toSorted((a, b) => ffmpegsOf(b).length - ffmpegsOf(a).length)
    const diedMs = performance.now()
    if (signal === 'SIGKILL') await agent?.kill()
    else agent?.stop()
    await pulling
    const gapMs = performance.now() - diedMs
    if (signal === 'SIGSTOP') agent?.cont()
    else {
      agent?.restart()
      await agent?.printed(/ is running/)
    }
    return { gapMs, usualMs: median(waitedMs) }
  }
  return undefined
}
