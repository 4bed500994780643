/** Transcode agents of a simulation: the real ones with a fake ffmpeg. Each segment's bytes identify it. */
import { segmentCount, startOf } from '../../src/domain/streaming/segment-grid.ts'
import { createTranscodeAgent } from '../../transcode-agent/agent.ts'
import type { JobOptions } from '../../transcode-agent/job.ts'
import { mediaAt } from '../../transcode-agent/open-media.ts'
import type { Bus } from '../../src/ports/bus.ts'
import { createHostClock, type Host } from './host.ts'
import type { World } from './world.ts'

/** The state of all agents, seen from outside the world. */
export interface Workshop {
  /** Running jobs, by name, without those of crashed agents. */
  jobs(): readonly string[]
}

export interface Work extends Workshop {
  of(world: World, host: Host): (options: JobOptions) => Promise<void>
}

const SLOTS = 3
/** Percentage of segments that end their job. */
const BREAKS = 1

export function createWorkshop(): Work {
  const jobs = new Map<string, Host>()
  /** Which node sent jobs under an epoch. */
  const owners = new Map<string, string>()

  function check(world: World, { rendition, epoch, inbox }: JobOptions['spec']): void {
    const owner = inbox.split('.')[1] ?? ''
    const order = `${rendition} under ${epoch}`
    const before = owners.get(order)
    if (before !== undefined && before !== owner) world.fail(`${order} had orders of ${before} and of ${owner}`)
    owners.set(order, owner)
  }

  return {
    jobs: () => [...jobs].filter(([, host]) => !host.crashed).map(([jobId]) => jobId),
    of: (world, host) => async (options) => {
      const { jobId } = options.spec
      check(world, options.spec)
      jobs.set(jobId, host)
      try {
        await make(world, options)
      } finally {
        jobs.delete(jobId)
      }
    },
  }
}

/** Like ffmpeg, a little slower or faster than real time. */
async function make(world: World, { spec, sender, clock, signal }: JobOptions): Promise<void> {
  const { grid, rendition, startSegment } = spec
  await clock.sleep(50 + world.chance(400), signal)
  await sender.send({ type: 'init', codec: 'avc1.640028' }, Buffer.from(`init of ${rendition}`))
  for (let segment = startSegment; segment < segmentCount(grid); segment++) {
    await sender.credit(startOf(grid, segment))
    const workMs = 20 + world.chance(300)
    await clock.sleep(workMs, signal)
    if (world.chance(100) < BREAKS) throw new Error('ffmpeg ended with 1')
    const parts = 1 + world.chance(2)
    for (let part = 0; part < parts; part++) {
      const text = `segment ${segment} of ${rendition} ${part}/${parts};`
      await sender.send({ type: 'segment', segment, part, parts, workMs }, Buffer.from(text))
    }
  }
  await sender.send({ type: 'ended', outcome: 'complete', reason: '' })
  await sender.drained()
}

interface Wanted {
  readonly form: string
  readonly segment: number
}

/** The fault of a segment's bytes: another segment's, another rendition's than before, or incomplete. */
export function faultOf(renditions: Map<string, string>, { form, segment }: Wanted, bytes: Uint8Array): string | undefined {
  const parts = Buffer.from(bytes).toString().split(';').slice(0, -1)
  const [, rendition = ''] = /^segment \d+ of (\S+) /.exec(parts[0] ?? '') ?? []
  const known = renditions.get(form) ?? rendition
  renditions.set(form, known)
  const isWhole = parts.length > 0 && parts.every((text, part) => text === `segment ${segment} of ${known} ${part}/${parts.length}`)
  return isWhole ? undefined : `"${parts.join(';')}" as segment ${segment} of ${form}`
}

export function startAgent(
  world: World,
  host: Host,
  { bus, workshop, onError }: { bus: Bus; workshop: Work; onError: (cause: unknown) => void },
) {
  return createTranscodeAgent({
    bus,
    clock: createHostClock(world, host),
    agentId: host.name,
    ffmpegPath: 'ffmpeg',
    slots: SLOTS,
    guard: 'setpriv',
    openSource: async ({ path }) => mediaAt(path),
    work: workshop.of(world, host),
    load: () => 0,
    sweep: async () => {},
    onError,
  })
}
