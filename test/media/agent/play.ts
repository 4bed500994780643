/** The owner of one rendition on a bus, and its only viewer, for agents in tests over a real bus. */
import { statSync } from 'node:fs'
import type { Test } from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'
import { createAgentDirectory } from '../../../src/app/streaming/agents/agent-directory.ts'
import { createRenditionActor } from '../../../src/app/streaming/renditions/rendition-actor.ts'
import { createSegmentCache } from '../../../src/app/streaming/segments/segment-cache.ts'
import { createViewers } from '../../../src/app/streaming/runs/viewers.ts'
import type { StreamPlan } from '../../../src/domain/streaming/plan.ts'
import type { Rendition } from '../../../src/domain/streaming/rendition.ts'
import type { Bus } from '../../../src/ports/bus.ts'
import { bytesOf } from '../engine-fixture.ts'

export interface Play {
  readonly path: string
  readonly plan: Pick<StreamPlan, 'zeroMs'>
  readonly rendition: Rendition
  readonly seekFor: (segment: number) => number | null
}

export function openPlay(t: Test, bus: Bus, { path, plan, rendition, seekFor }: Play) {
  const clock = createSystemClock()
  const { size, mtimeMs } = statSync(path)
  const viewers = createViewers(clock)
  const directory = createAgentDirectory({ bus, clock })
  const problems: string[] = []
  const actor = createRenditionActor({
    bus,
    clock,
    directory,
    viewers,
    ids: createSystemIds(),
    node: 'owner',
    renditionCache: createSegmentCache({ memoryBytes: 1e9 }).open({ source: 'film', rendition: 'v0', cost: 0 }, () => []),
    rendition,
    renditionId: 'film.v0',
    epoch: 1,
    source: () => ({ fileId: 'film', path, sizeBytes: size, modifiedAtMs: mtimeMs }),
    signSource: () => '',
    zeroMs: plan.zeroMs,
    seekFor,
    aheadBytes: () => 1e9,
    reclaim: () => false,
    onError: (cause) => problems.push(cause.message),
    answerWithinMs: 60_000,
  })
  t.teardown(() => {
    actor.close()
    directory.close()
  })
  const ask = () => ({ viewer: 'ann', signal: AbortSignal.timeout(60_000) })
  return { problems, segment: async (segment: number) => Buffer.from(bytesOf(await actor.segment(segment, ask()))) }
}
