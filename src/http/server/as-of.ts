/** Implements `asOf`, which returns a list as it was at an earlier time, for the routes that support it. */
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '../../app/access/caller.ts'
import type { Whose } from '../../app/read-models/as-of-fold.ts'
import type { ReadModels } from '../../app/read-models/read-models.ts'
import type { AsOf, ReadModelsAsOf } from '../../app/read-models/as-of.ts'
import { unwrap } from './errors.ts'
import { disconnectSignal } from './disconnect-signal.ts'

export const AS_OF_QUERY = {
  asOf: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'State at this time (RFC 3339) or after this event (`seq:<n>`). Current permissions apply.',
      examples: ['2026-01-02T12:00:00Z', 'seq:18231'],
    }),
  ),
}

export const AS_OF_HEADERS = {
  'x-as-of-seq': Type.Optional(Type.String({ description: 'With `asOf`: position of the last event that was included.' })),
}

interface AskedPast {
  readonly caller: Caller
  readonly asOf: string | undefined
  readonly reply: FastifyReply
  /** The user whose data it is about; default: the caller. */
  readonly whose?: Whose
}

/** The documents as they were; undefined without `asOf`. */
export const documentsOf = async (past: AsOf, asked: AskedPast): Promise<ReadModels | undefined> => (await pastOf(past, asked))?.readModels

/** The same with its time. */
export async function pastOf(past: AsOf, { caller, asOf, reply, whose }: AskedPast): Promise<ReadModelsAsOf | undefined> {
  if (asOf === undefined) return undefined
  const found = unwrap(await past.at(caller.userId, asOf, disconnectSignal(reply), whose))
  reply.header('x-as-of-seq', found.seq)
  return found
}
