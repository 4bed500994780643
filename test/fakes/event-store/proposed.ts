/** Parses clients' appends from the messages of both append methods. */
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js'
import type { StatusObject } from '@grpc/grpc-js'
import type { NewEvent } from './recorded.ts'
import type { Expected } from './commit-check.ts'
import { handlerThrew, typeMissing } from './refusals.ts'

interface ProposedMessage {
  getId(): UUID | undefined
  getMetadataMap(): { get(name: string): string | undefined }
  getData_asU8(): Uint8Array
  getCustomMetadata_asU8(): Uint8Array
}

interface ExpectedOptions {
  hasAny(): boolean
  hasNoStream(): boolean
  hasStreamExists(): boolean
}

const UUID_PATTERN = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

export function eventOf(message: ProposedMessage): NewEvent | { readonly refused: StatusObject } {
  const id = message.getId()?.getString().toLowerCase() ?? ''
  const type = message.getMetadataMap().get('type')
  if (type === undefined) return { refused: typeMissing() }
  if (type === '' || !UUID_PATTERN.test(id)) return { refused: handlerThrew() }
  const contentType = message.getMetadataMap().get('content-type') ?? 'application/octet-stream'
  return { id, type, contentType, data: message.getData_asU8(), metadata: message.getCustomMetadata_asU8() }
}

export function expectedOf(options: ExpectedOptions, revision: string): Expected {
  if (options.hasAny()) return 'any'
  if (options.hasNoStream()) return 'no-stream'
  return options.hasStreamExists() ? 'stream-exists' : Number(revision)
}
