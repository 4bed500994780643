/** What the proof of an audit entry is made from. */
import { api, answerOf, valueOf } from '../api/client.ts'
import { problemOf, RequestFailed } from '../api/problems.ts'
import type { AuditQuery } from './past-queries.ts'
import type { Context } from './query-client.ts'
import { entryAt, readCheckpoint, tileOf, type Checkpoint } from './proof.ts'

const checkpointQuery = async (signal: AbortSignal): Promise<Checkpoint> => {
  const note = await valueOf(api.GET('/v1/audit/checkpoint', { parseAs: 'text', signal }))
  const checkpoint = readCheckpoint(note)
  if (!checkpoint)
    throw new RequestFailed({ status: 502, message: 'The checkpoint is not a signed note', fields: {}, retryAfterSeconds: undefined })
  return checkpoint
}

async function storedEntry(seq: number, size: number, signal: AbortSignal): Promise<Uint8Array> {
  const { path, place } = tileOf(seq, size)
  const response = await fetch(`/v1/audit/tile/${path}`, { signal })
  const entry = response.ok ? entryAt(new Uint8Array(await response.arrayBuffer()), place) : undefined
  if (!entry) throw new RequestFailed(problemOf(response.ok ? { status: 404, headers: response.headers } : response, undefined))
  return entry
}

/** The stored event is the leaf; its time leads to its row in the list, which has names and changes. */
export const auditEntryQuery = (seq: number) => ({
  queryKey: ['audit-entry', seq],
  staleTime: Infinity,
  queryFn: async ({ signal }: Context) => {
    const checkpoint = await checkpointQuery(signal)
    if (seq > checkpoint.size) throw new RequestFailed({ status: 404, message: '', fields: {}, retryAfterSeconds: undefined })
    const [stored, proof, verifier] = await Promise.all([
      storedEntry(seq, checkpoint.size, signal),
      valueOf(api.GET('/v1/audit/proof', { params: { query: { seq, size: checkpoint.size } }, signal })),
      valueOf(api.GET('/v1/audit/key', { parseAs: 'text', signal })),
    ])
    return { checkpoint, stored, proof, verifier, row: await rowOf(seq, stored, signal) }
  },
})

const PAGE = 100
/** Not listed unless they are asked for. */
const HEARTBEAT = 'PlaybackHeartbeat'

async function rowOf(seq: number, stored: Uint8Array, signal: AbortSignal) {
  const { type, metadata } = JSON.parse(new TextDecoder().decode(stored)) as {
    readonly type: string
    readonly metadata?: { readonly at?: string }
  }
  const at = metadata?.at
  if (at === undefined) return undefined
  const range = { from: at, to: new Date(Date.parse(at) + 1).toISOString(), limit: PAGE }
  const query: AuditQuery = type === HEARTBEAT ? { ...range, type: HEARTBEAT } : range
  const answer = await answerOf(api.GET('/v1/audit', { params: { query }, signal }))
  return answer.ok ? answer.value.items.find((entry) => entry.seq === seq) : undefined
}
