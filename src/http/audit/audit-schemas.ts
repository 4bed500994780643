/** Schemas of the audit. */
import { Type } from 'typebox'
import { VERSIONS, type EventType } from '../../events/catalogue.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { Id, named, nullable, nullableEnum, pageOf, Time } from '../server/values-schemas.ts'

export const Seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Number of the entry: from 1, without gaps.' })
export const Base64Hash = Type.String({ minLength: 44, maxLength: 44, description: 'SHA-256, base64.' })
const text = nullable(Type.String())

export const AuditEntry = named(
  'AuditEntry',
  Type.Object({
    seq: Seq,
    type: Type.String({ description: 'Type of the event.', examples: ['UserRoleChanged'] }),
    at: Time,
    actor: Type.Object({
      kind: Type.Enum(['user', 'system', 'cli']),
      id: nullable(Id),
      name: nullable(Type.String({ description: 'Of a user, as it is now; `erased user` after an erasure.' })),
      ip: text,
      client: nullable(Type.String({ description: 'The `User-Agent` of the request.' })),
    }),
    target: Type.Object({
      kind: Type.Enum(['user', 'library', 'movie', 'login', 'session', 'scan', 'job', 'webhook', 'server']),
      id: nullable(Id),
    }),
    requestId: nullable({ ...Id, description: '`X-Request-Id` of the answer.' }),
    changes: Type.Array(Type.Object({ path: Type.String(), from: Type.Unsafe<unknown>({}), to: Type.Unsafe<unknown>({}) }), {
      description: 'Values before and after. Never a password, token, hash or key.',
    }),
    leafHash: Base64Hash,
  }),
)
export const AuditEntryPage = pageOf(AuditEntry)

const TYPES = Object.keys(VERSIONS).toSorted() as EventType[]

const order = Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc', description: 'Newest first by default.' }))

export const OwnAuditQuery = Type.Object({ ...PAGE_QUERY, order })

export const AuditQuery = Type.Object({
  ...PAGE_QUERY,
  actorId: Type.Optional({ ...Id, description: 'Id of the user who did it.' }),
  targetId: Type.Optional({ ...Id, description: 'Id of what it was done to.' }),
  type: Type.Optional(Type.Enum(TYPES, { description: 'Type of the event. Heartbeats are listed only with `type=PlaybackHeartbeat`.' })),
  requestId: Type.Optional({ ...Id, description: '`X-Request-Id` of the answer.' }),
  from: Type.Optional(Time),
  to: Type.Optional({ ...Time, description: 'RFC 3339, UTC; exclusive.' }),
  order,
})

export const ProofQuery = Type.Object({
  seq: Seq,
  size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Entries in the tree.' }),
})

export const ConsistencyQuery = Type.Object({
  from: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Size of the smaller tree.' }),
  to: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Size of the larger tree.' }),
})

const hashes = Type.Array(Base64Hash, { description: 'The path of RFC 6962, the nearest hash first.' })

export const InclusionProof = named('InclusionProof', Type.Object({ seq: Seq, size: Seq, leafHash: Base64Hash, hashes }))
export const ConsistencyProof = named('ConsistencyProof', Type.Object({ from: Seq, to: Seq, hashes }))

export const VerifyBody = Type.Object({ checkpoint: Type.String({ minLength: 1, maxLength: 10_000, description: 'A signed note.' }) })

export const CheckpointVerdict = named(
  'CheckpointVerdict',
  Type.Object({
    valid: Type.Boolean(),
    reason: nullableEnum(['malformed', 'unknown_key', 'bad_signature', 'truncated', 'changed']),
    origin: text,
    size: nullable(Type.Integer({ minimum: 0 })),
    root: nullable(Type.String()),
  }),
)
