/** Dispatches a job: asks agents one after another, the one that would run it fastest first, until one accepts. */
import { failureWords } from '../../../domain/streaming/job-failure.ts'
import { isHardware } from '../../../domain/streaming/encoders.ts'
import { withTimeout } from '../../../concurrency/timeout.ts'
import { NoResponder, ReplyTimeout, type Bus } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { AgentDirectory } from './agent-directory.ts'
import type { JobAttachment } from './job-attachment.ts'
import { isStartReply, needsOf, subjects, type JobSpec, type StartReply } from './agent-protocol.ts'
import { offerJob, type AgentJob, type AgentJobEvents } from './agent-job.ts'
import { busy, missing, type Unavailable } from '../segments/unavailable.ts'

export interface JobDispatchOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly directory: AgentDirectory
  /** Each agent that is asked gets a job of its own: a late answer must not be taken for that of the next agent. */
  readonly newJob: () => JobSpec
  readonly output: JobSpec['output']
  /** The content of the jobs' attachment. */
  readonly attachment?: JobAttachment | undefined
  readonly events: AgentJobEvents
}

/** Only free slots are lacking. */
export const ALL_BUSY = busy('All transcoders are busy', 5)
/** Includes the time to look for the film. */
const ANSWER_MS = 2_000
/**
 * An agent acknowledges at once, unless its machine is overloaded; then another one is better. The last possible agent gets more time:
 * otherwise a slow machine would never make anything.
 */
const FIRST_WORD_MS = 500
const LISTEN_MS = 2_000
/** Most agents that may be busy or silent. */
const MOST_IN_VAIN = 3
/** Most agents asked in total: an agent that cannot open the film answers at once. */
const MOST_ASKED = 12

type Answer = StartReply | { readonly type: 'no-answer' }

export async function dispatchJob(options: JobDispatchOptions): Promise<AgentJob | Unavailable | 'superseded'> {
  const { directory, output } = options
  const agents = (await directory.candidates(needsOf(output))).slice(0, MOST_ASKED)
  const answers: Answer[] = []
  for (const [index, agentId] of agents.entries()) {
    const inVain = answers.filter(({ type }) => type === 'busy' || type === 'no-answer').length
    if (inVain >= MOST_IN_VAIN) break
    const isLast = index === agents.length - 1 || inVain === MOST_IN_VAIN - 1
    const answer = await offer(options, agentId, isLast ? ANSWER_MS : FIRST_WORD_MS)
    if (!('type' in answer)) return answer
    if (answer.type === 'superseded') return 'superseded'
    answers.push(answer)
  }
  return whyNot(answers, options)
}

/** The job, or the agent's answer if it did not accept. */
async function offer(options: JobDispatchOptions, agentId: string, firstWordMs: number): Promise<AgentJob | Answer> {
  const spec = options.newJob()
  const job = offerJob({ ...options, agentId, spec })
  const late = new AbortController()
  const disarm = options.clock.after(firstWordMs, () => void (job.isHeard() || late.abort(new ReplyTimeout(agentId))))
  try {
    await withTimeout(job.ready, { clock: options.clock, ms: LISTEN_MS, message: 'The bus is unavailable' })
    const answer = await ask(options, { agentId, spec, signal: late.signal })
    if (answer.type === 'accepted') return job.accepted()
    job.close()
    return answer
  } catch (error) {
    job.close()
    throw error
  } finally {
    disarm()
  }
}

interface Asked {
  readonly agentId: string
  readonly spec: JobSpec
  readonly signal: AbortSignal
}

async function ask({ bus, directory }: JobDispatchOptions, { agentId, spec, signal }: Asked): Promise<Answer> {
  try {
    const { head } = await bus.request(subjects.start(agentId), { head: spec }, { timeoutMs: ANSWER_MS, signal })
    return isStartReply(head) ? head : { type: 'no-answer' }
  } catch (error) {
    if (error instanceof NoResponder) directory.gone(agentId)
    else if (error instanceof ReplyTimeout) directory.silent(agentId)
    else throw error
    return { type: 'no-answer' }
  }
}

function whyNot(answers: readonly Answer[], { directory, output }: JobDispatchOptions): Unavailable {
  const isLost = output.type === 'encode-video' && isHardware(output.encoder) && !directory.encodes(output.encoder)
  // The waiting clients are about to be ordered to load other playlists.
  if (isLost && directory.any()) return busy(`No transcoder encodes with ${output.encoder} any more`, 5)
  if (answers.length === 0)
    return busy(directory.any() ? `No transcoder has what this film needs${rareNeed(output)}` : 'No transcoder is there', 5)
  if (answers.some(({ type }) => type === 'busy')) return ALL_BUSY
  if (answers.some(({ type }) => type === 'no-answer')) return busy('The transcoders do not answer', 5)
  const refused = answers.find((answer) => answer.type === 'refused')
  const isOpen = answers.some(({ type }) => type === 'unreachable')
  return refused && !isOpen ? missing(failureWords(refused.reason)) : busy('No transcoder can open this film', 5)
}

/** Dolby Vision without a base layer: other tone-mappers make it green and purple. */
const rareNeed = (output: JobDispatchOptions['output']): string =>
  needsOf(output).toneMap === 'libplacebo' ? ': tone-mapping by libplacebo, on a graphics device (Vulkan)' : ''
