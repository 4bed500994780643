/** Viewers at three nodes while those lose the bus or their leases, or are suspended: each request always ends. */
import t from 'tap'
import { randomBelow, seeds, type RandomBelow } from '../../fixtures/random-below.ts'
import { openHosts, type Hosts } from './rendition-hosts.ts'
import type { Asked, ScriptedJob } from '../../fixtures/scripted-agent.ts'

const STEP_MS = 100
const SEGMENTS = 600
/** Segments have some ten bytes, so they are soon evicted and made again. */
const CACHE_BYTES = 800
/** A player gives up after 9 s. */
const PATIENCE_MS = 9_000

interface Viewer {
  readonly name: string
  segment: number
  asked: Asked | undefined
  sinceMs: number
  got: number
}

/** Makes a segment every 200 ms for each job that has credit. */
function work({ clock, jobs }: Hosts): () => void {
  const at = new Map<ScriptedJob, Making>()
  return clock.every(200, () => {
    for (const job of jobs) {
      const state = at.get(job) ?? { next: job.spec.startSegment, creditMs: job.spec.creditMs, busy: false }
      at.set(job, state)
      for (const order of job.orders) if (order.type === 'credit') state.creditMs = Math.max(state.creditMs, order.creditMs)
      if (job.stopped || job.forgotten || state.busy || state.next >= SEGMENTS) continue
      state.busy = true
      void makeOne(job, state)
    }
  })
}

interface Making {
  next: number
  creditMs: number
  busy: boolean
}

/** A job that is stopped, or gets no reply, is over. */
async function makeOne(job: ScriptedJob, state: Making): Promise<void> {
  const hasCredit = state.next * 2_000 < state.creditMs
  const said = await (hasCredit ? job.segment(state.next) : job.say({ type: 'beat' })).catch(() => ({ type: 'stop' }))
  const { type, creditMs = 0 } = said as { type: string; creditMs?: number }
  job.forgotten = type === 'stop'
  state.busy = false
  state.creditMs = Math.max(state.creditMs, creditMs)
  if (hasCredit) state.next++
}

function play(hosts: Hosts, viewer: Viewer, chance: RandomBelow): void {
  if (!viewer.asked) {
    if (chance(20) === 0) viewer.segment = chance(SEGMENTS)
    viewer.asked = hosts.nodes[chance(hosts.nodes.length)]!.ask(viewer.segment, viewer.name)
    viewer.sinceMs = hosts.clock.monotonic()
  } else if (viewer.asked.result === undefined && chance(60) === 0) viewer.asked.abort()
}

/** Checks a result, if there is one. */
function look({ clock }: Hosts, viewer: Viewer): string | undefined {
  const result = viewer.asked?.result
  if (viewer.asked && result === undefined && clock.monotonic() - viewer.sinceMs > PATIENCE_MS) return 'no end'
  if (result === undefined) return undefined
  viewer.asked = undefined
  if (result === `segment ${viewer.segment}`) {
    viewer.got++
    viewer.segment = (viewer.segment + 1) % SEGMENTS
  }
  return result
}

/** One node at a time has a fault, for up to seven seconds. */
async function trouble(hosts: Hosts, chance: RandomBelow): Promise<void> {
  const node = hosts.nodes[chance(hosts.nodes.length)]!
  const kind = chance(4)
  if (kind === 0) node.line.loseParts = 3
  if (kind === 1) node.line.state = 'away'
  if (kind === 2) node.line.state = 'frozen'
  if (kind !== 0) node.leases.stall()
  await hosts.clock.sleep(500 + chance(6_500))
  node.line.state = 'well'
  node.leases.resume()
}

for (const seed of seeds(3)) {
  t.test(`seed ${seed}`, async (t) => {
    const chance = randomBelow(seed)
    const hosts = openHosts(3, { memoryBytes: CACHE_BYTES })
    const stopWork = work(hosts)
    const viewers = ['ann', 'ben', 'cy', 'dee'].map((name): Viewer => ({
      name,
      segment: chance(SEGMENTS),
      asked: undefined,
      sinceMs: 0,
      got: 0,
    }))
    const answers = new Map<string, number>()
    let troubled: Promise<void> | undefined
    for (let passedMs = 0; passedMs < 75_000; passedMs += STEP_MS) {
      const quiet = passedMs > 50_000
      if (!quiet && !troubled && chance(30) === 0) troubled = trouble(hosts, chance).finally(() => (troubled = undefined))
      for (const viewer of viewers) {
        play(hosts, viewer, quiet ? () => 1 + chance(2) : chance)
        const answer = look(hosts, viewer)?.replace(/\d+/, 'n')
        if (answer !== undefined) answers.set(answer, (answers.get(answer) ?? 0) + 1)
        if (passedMs === 60_000) viewer.got = 0
      }
      await hosts.clock.advance(STEP_MS)
    }
    t.equal(answers.get('no end'), undefined, JSON.stringify([...answers]))
    t.ok((answers.get('segment n') ?? 0) > 200, 'most is well')
    for (const { name, got } of viewers) t.ok(got >= 5, `${name} watches on: ${got} in 15 s`)
    t.equal(hosts.nodes.filter(({ rendition }) => rendition.actor()).length, 1, 'one owner')
    t.strictSame(
      hosts.nodes.flatMap(({ problems }) => problems),
      [],
    )
    stopWork()
    await hosts.close()
    t.strictSame([hosts.table.held.size, ...hosts.nodes.map(({ line }) => line.open.size)], [0, 0, 0, 0])
  })
}
