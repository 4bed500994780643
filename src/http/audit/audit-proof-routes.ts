/** Serves proofs over the audit log, for administrators: signed checkpoints, and paths of the Merkle tree. */
import type { Hash } from '../../events/merkle-tree.ts'
import type { App, RouteContext } from '../server/app.ts'
import { invalid, notFound } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { readTilePath } from './tile-path.ts'
import { CheckpointVerdict, ConsistencyProof, ConsistencyQuery, InclusionProof, ProofQuery, VerifyBody } from './audit-schemas.ts'
import { Type } from 'typebox'

const [tag, by] = ['audit', 'admins'] as const
const TEXT = { schema: Type.String(), type: 'text/plain' }

const GET_CHECKPOINT = operation({
  id: 'getCheckpoint',
  tag,
  by,
  summary: 'Get a signed checkpoint of the log',
  description: `Origin, size and root of the Merkle tree (RFC 6962) over the log, as a signed note (C2SP, Ed25519). Keep it elsewhere: it
shows later whether the log was changed or cut off since. \`/v1/audit/tile/\` serves the tiles of the tree (c2sp.org/tlog-tiles).`,
  answers: { 200: { description: 'A signed note.', ...TEXT } },
})

const GET_KEY = operation({
  id: 'getCheckpointKey',
  tag,
  by,
  summary: 'Get the key that verifies checkpoints',
  answers: { 200: { description: 'A verifier key of signed notes: name, hash and key.', ...TEXT } },
})

const GET_PROOF = {
  ...operation({
    id: 'getInclusionProof',
    tag,
    by,
    summary: 'Prove that an entry is in the log',
    description: 'The leaf has the index `seq` - 1 in the tree of the first `size` entries.',
    answers: { 200: { description: 'The proof.', schema: refTo(InclusionProof) } },
    errors: [422],
  }),
  querystring: ProofQuery,
}

const GET_CONSISTENCY = {
  ...operation({
    id: 'getConsistencyProof',
    tag,
    by,
    summary: 'Prove that the log only grew',
    answers: { 200: { description: 'The proof.', schema: refTo(ConsistencyProof) } },
    errors: [422],
  }),
  querystring: ConsistencyQuery,
}

const VERIFY = {
  ...operation({
    id: 'verifyCheckpoint',
    tag,
    by,
    summary: 'Verify a checkpoint against the log',
    description: '`truncated`: the log is shorter than it was. `changed`: an entry is not what it was.',
    answers: { 200: { description: 'Whether the log still begins with the entries of the checkpoint.', schema: refTo(CheckpointVerdict) } },
    errors: [...BODY_ERRORS],
  }),
  body: VerifyBody,
}

export function addAuditProofRoutes(app: App, context: RouteContext<'accessRecords' | 'checkpoints' | 'auditTree' | 'auditTiles'>): void {
  addCheckpointRoutes(app, context)
  addPathRoutes(app, context)
  addTileRoute(app, context)
}

function addCheckpointRoutes(app: App, { services: { checkpoints } }: RouteContext<'checkpoints'>): void {
  app.route({
    method: 'GET',
    url: '/v1/audit/checkpoint',
    schema: GET_CHECKPOINT,
    handler: async (_, reply) => reply.type('text/plain; charset=utf-8').send(await checkpoints.current()),
  })

  app.route({
    method: 'GET',
    url: '/v1/audit/key',
    schema: GET_KEY,
    handler: async (_, reply) => reply.type('text/plain; charset=utf-8').send(`${await checkpoints.verifier()}\n`),
  })

  app.route({
    method: 'POST',
    url: '/v1/audit/verify',
    schema: VERIFY,
    handler: async (request) => {
      const verdict = await checkpoints.verify(request.body.checkpoint)
      if (!verdict.valid) return { valid: false, reason: verdict.reason, origin: null, size: null, root: null }
      return { valid: true, reason: null, origin: verdict.origin, size: verdict.tree.size, root: base64(verdict.tree.root) }
    },
  })
}

function addPathRoutes(app: App, { services: { auditTree } }: RouteContext<'auditTree'>): void {
  app.route({
    method: 'GET',
    url: '/v1/audit/proof',
    schema: GET_PROOF,
    handler: async (request) => {
      const { seq, size } = request.query
      await demandSize(size, 'size')
      if (seq > size) throw invalid([{ path: 'seq', message: `is beyond the size, ${size}` }])
      const { leafHash, path } = await auditTree.inclusion(seq, size)
      return { seq, size, leafHash: base64(leafHash), hashes: path.map(base64) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/audit/consistency',
    schema: GET_CONSISTENCY,
    handler: async (request) => {
      const { from, to } = request.query
      await demandSize(to, 'to')
      if (from > to) throw invalid([{ path: 'from', message: `is beyond \`to\`, ${to}` }])
      return { from, to, hashes: (await auditTree.consistency(from, to)).map(base64) }
    },
  })

  async function demandSize(size: number, path: string): Promise<void> {
    const all = await auditTree.size()
    if (size > all) throw invalid([{ path, message: `is beyond the log, which has ${all} entries` }])
  }
}

const base64 = (hash: Hash): string => Buffer.from(hash).toString('base64')

/** Entries are the events of all users. */
const LOOK = { userId: null, operation: 'GET /v1/audit/tile/entries' }

/** Omitted from the OpenAPI description, which cannot express such paths; the standard describes them. */
function addTileRoute(app: App, { services: { accessRecords, auditTiles } }: RouteContext<'accessRecords' | 'auditTiles'>): void {
  app.route({
    method: 'GET',
    url: '/v1/audit/tile/*',
    schema: { params: Type.Object({ '*': Type.String() }), calledBy: by, hide: true },
    handler: async (request, reply) => {
      const ask = readTilePath(request.params['*'])
      const tile = ask && (await auditTiles.get(ask))
      if (!tile) throw notFound('There is no such tile')
      if (ask.level === 'entries') await accessRecords.followed(callerOf(request), LOOK, requestOrigin(request))
      return reply.type('application/octet-stream').send(Buffer.from(tile))
    },
  })
}
