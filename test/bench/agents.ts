/**
 * Measures agents that run as separate processes: the cost of a remote agent or a remote film, how soon another agent takes over
 * when one dies, and which processes remain when a program or a player dies.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFfmpeg, patientFfmpeg } from '../system/players/live.ts'
import { ffmpegsBelow, ffmpegsOf } from '../system/whole/leftovers.ts'
import { measureDeaths } from './agent-deaths.ts'
import { openAgentSite, type AgentSite } from './agent-site.ts'
import { cpuMs } from './process-cpu.ts'
import { measureRemote } from './remote-agents.ts'
import { prepareFiles } from './streaming-files.ts'
import type { Report } from './table.ts'

const GONE_MS = 10_000
const LONGEST_MS = 30_000
const LOOK_EVERY_MS = 20
const PLAYED_MS = 3_000
const CPU_LOOK_MS = 2_000
const FRAMES_PER_SECOND = 24

export async function measureAgents(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-agents-'))
  try {
    const films = await prepareFiles(folder)
    report({ what: 'film', ours: films.source })
    await measureRemote(report, { folder: join(folder, 'remote'), films })
    const site = await openAgentSite({ folder: join(folder, 'site'), films, agents: 2, mounted: true })
    try {
      for (const signal of ['SIGKILL', 'SIGSTOP'] as const) await measureDeaths(report, site, { films, signal })
      await measureLeft(report, site, films.titles)
    } finally {
      await site.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each of them is killed while a film is made; the API node last, since the others need it. */
async function measureLeft(report: Report, site: AgentSite, [first = '', second = '', third = '']: readonly string[]): Promise<void> {
  const [agent] = await makingOf(site, first)
  const own = agent ? ffmpegsOf(agent) : []
  await agent?.kill()
  await reportGone(report, 'an agent', {
    count: own.length,
    running: () => ffmpegsBelow(site.folder).filter((pid) => own.includes(pid)).length,
  })
  agent?.restart()
  await agent?.printed(/ is running/)

  const player = await openFfmpeg(await patientFfmpeg(), { master: await masterOf(site, second), framesPerSecond: FRAMES_PER_SECOND })
  await sleep(PLAYED_MS)
  await player.close()
  await sleep(GONE_MS)
  await reportWorking(report, site)

  await makingOf(site, third)
  const running = (): number => ffmpegsBelow(site.folder).length
  const count = running()
  await site.cluster.apis[0]?.kill()
  await reportGone(report, 'the API node', { count, running })
}

/** The agents, busiest first, once the film's first segment has arrived. */
async function makingOf(site: AgentSite, title: string): Promise<AgentSite['cluster']['agents']> {
  const player = await site.play(title)
  const quality = player.qualities.find(({ method }) => method === 'transcode')?.name ?? ''
  await player.get(`${quality}/seg-0.m4s`)
  return site.cluster.agents.toSorted((a, b) => ffmpegsOf(b).length - ffmpegsOf(a).length)
}

async function masterOf({ api, url, movies }: AgentSite, title: string): Promise<string> {
  const { json } = await api.send('POST', '/v1/playback/sessions', { movieId: movies.get(title)?.id, capabilities: { maxHeight: 480 } })
  const session = json as unknown as { masterPlaylistUrl: string; streamToken: string }
  return `${url}${session.masterPlaylistUrl}?token=${session.streamToken}`
}

interface Gone {
  /** Before the kill. */
  readonly count: number
  readonly running: () => number
}

async function reportGone(report: Report, who: string, { count, running }: Gone): Promise<void> {
  const startMs = performance.now()
  while (running() > 0 && performance.now() - startMs < LONGEST_MS) await sleep(LOOK_EVERY_MS)
  const goneMs = performance.now() - startMs
  report({
    what: `ffmpeg left when ${who} was killed`,
    ours: `${running()} of ${count} (the last one gone after ${goneMs.toFixed(0)} ms)`,
    goal: '0 after 10 s',
    met: count > 0 && running() === 0 && goneMs < GONE_MS,
  })
}

/** A session whose player is silent is kept for two minutes, in case it returns; waiting for it costs nothing. */
async function reportWorking(report: Report, { folder }: AgentSite): Promise<void> {
  const held = ffmpegsBelow(folder)
  const before = new Map(held.map((pid) => [pid, cpuMs(pid)]))
  await sleep(CPU_LOOK_MS)
  const working = held.filter((pid) => cpuMs(pid) > (before.get(pid) ?? 0)).length
  report({
    what: 'ffmpeg that works on 10 s after a player was killed',
    ours: `${working} (${held.length} wait for the session to end)`,
    goal: '0',
    met: working === 0,
  })
}
