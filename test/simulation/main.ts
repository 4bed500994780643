/**
 * Runs many seeds on all cores, and prints those that fail: `npm run simulate -- --seeds 5000 --from 1`, `--minutes 10` for as many as fit
 * into the time, `--seed 7 --trace` for the steps of one of them.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { simulate, type Verdict } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})

const FAILURES_TOLD = 5

function tell({ seed, failures, digest, steps, events, acknowledged, segments }: Verdict): void {
  const facts = `${events} events, ${acknowledged} acknowledged, ${segments} segments, ${steps} steps, ${digest}`
  console.log(failures.length === 0 ? `seed ${seed}: ${facts}` : `seed ${seed} FAILS: ${facts}`)
  for (const failure of failures.slice(0, FAILURES_TOLD)) console.log(`  ${failure}`)
}

async function playOne(seed: number): Promise<boolean> {
  const verdict = await simulate(seed, values.trace ? console.log : undefined)
  tell(verdict)
  return verdict.failures.length === 0
}

interface Sum {
  played: number
  failed: number
  events: number
  acknowledged: number
  segments: number
}

/** Settles when the seeds have run, or the time is over. */
async function playMany(): Promise<boolean> {
  const untilMs = values.minutes === undefined ? Infinity : performance.now() + Number(values.minutes) * 60_000
  const from = Number(values.from)
  const last = values.minutes === undefined ? from + Number(values.seeds) - 1 : Infinity
  const sum: Sum = { played: 0, failed: 0, events: 0, acknowledged: 0, segments: 0 }
  const beganMs = performance.now()
  let next = from
  const nextSeed = () => (next <= last && performance.now() < untilMs ? next++ : undefined)
  await Promise.all(Array.from({ length: Number(values.workers) }, () => work(nextSeed, sum)))
  const minutes = (performance.now() - beganMs) / 60_000
  const { played, failed, events, acknowledged, segments } = sum
  console.log(`${played} seeds, ${failed} failed, ${events} events, ${acknowledged} commands acknowledged, ${segments} segments served`)
  const { user, system } = process.cpuUsage()
  const cpuMs = (user + system) / 1000 / played
  console.log(
    `${minutes.toFixed(1)} minutes, ${Math.round(played / minutes)} seeds a minute, ${Math.round(cpuMs)} ms of processor time each`,
  )
  return failed === 0
}

async function work(nextSeed: () => number | undefined, sum: Sum): Promise<void> {
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  try {
    for (let seed = nextSeed(); seed !== undefined; seed = nextSeed()) {
      const verdict = await playedBy(worker, seed)
      sum.played++
      sum.events += verdict.events
      sum.acknowledged += verdict.acknowledged
      sum.segments += verdict.segments
      if (verdict.failures.length === 0) continue
      sum.failed++
      tell(verdict)
    }
  } finally {
    await worker.terminate()
  }
}

function playedBy(worker: Worker, seed: number): Promise<Verdict> {
  const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.postMessage(seed, [])
  return promise.finally(() => worker.off('message', resolve).off('error', reject))
}

const isFine = values.seed === undefined ? await playMany() : await playOne(Number(values.seed))
process.exitCode = isFine ? 0 : 1
