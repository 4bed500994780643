/**
 * Every request that is not aborted gets its segment, of one actor and across nodes. `MARQUEE_TEST_SEED=3` repeats a seed,
 * `MARQUEE_TEST_SEEDS=500` runs many.
 */
import t from 'tap'
import { createSegmentCache } from '../../../src/app/streaming/segments/segment-cache.ts'
import { randomBelow, seeds } from '../../fixtures/random-below.ts'
import { openStage } from '../../fixtures/scripted-agent.ts'
import { openHosts } from './rendition-hosts.ts'
import { filmOf, simulate } from './simulated-viewers.ts'

const SEEDS = 8
/**
 * A start and its debounce take up to two seconds; each of the four runs may have to wait for one. A job that an agent has lost is missed
 * after two seconds.
 */
const PATIENCE_MS = 12_000
/** A node that is cut off keeps a film for a lease time, and requests are refused after eight seconds. */
const PATIENCE_WITH_FAULTS_MS = 20_000

for (const seed of seeds(SEEDS))
  t.test(`one actor answers each request soon, MARQUEE_TEST_SEED=${seed}`, async (t) => {
    const chance = randomBelow(seed)
    const film = filmOf(chance)
    const cache = createSegmentCache({ memoryBytes: [60, 300, 1_000_000][chance(3)] ?? 300 })
    const { rendition } = film
    const stage = openStage({ cache, rendition, aheadBytes: () => [100, 1_000_000][seed % 2] ?? 0, answerWithinMs: 60_000 })
    t.teardown(() => stage.actor.close())
    const wrong = await simulate({
      agent: stage,
      clock: stage.clock,
      film,
      chance,
      ask: (segment, viewer) => stage.ask(segment, viewer),
      leave: (viewer) => stage.actor.leave(viewer),
      asksAgain: false,
      patienceMs: PATIENCE_MS,
      step: () => void (chance(200) === 0 && stage.actor.sweep()),
    })
    t.equal(wrong, undefined)
    t.ok(stage.jobs.length > 0)
  })

for (const seed of seeds(SEEDS))
  t.test(`nodes that lose their bus and their leases answer each request, MARQUEE_TEST_SEED=${seed}`, async (t) => {
    const chance = randomBelow(seed)
    const film = filmOf(chance)
    const hosts = openHosts(2 + chance(2), { rendition: film.rendition, memoryBytes: [60, 300, 1_000_000][chance(3)] ?? 300 })
    t.teardown(() => hosts.close())
    const anyNode = () => hosts.nodes[chance(hosts.nodes.length)]!
    const wrong = await simulate({
      agent: hosts,
      clock: hosts.clock,
      film,
      chance,
      ask: (segment, viewer) => anyNode().ask(segment, viewer),
      leave: (viewer) => hosts.nodes.forEach(({ host }) => host.leave(viewer)),
      asksAgain: true,
      patienceMs: PATIENCE_WITH_FAULTS_MS,
      step() {
        if (chance(300) > 0) return
        const { leases, line } = anyNode()
        if (chance(2) === 0) leases.stall()
        else line.state = 'away'
        hosts.clock.after(chance(7_000), () => {
          leases.resume()
          line.state = 'well'
        })
      },
    })
    t.equal(wrong, undefined)
    t.ok(hosts.jobs.length > 0)
  })
