/** The real server's errors: gRPC statuses with the trailers that the client maps to its error classes. */
import { Metadata, status, type StatusObject } from '@grpc/grpc-js'
import type { Expected } from './commit-check.ts'

const EXPECTED_NUMBERS = { any: -2, 'no-stream': -1, 'stream-exists': -4 }

export const MAX_APPEND_BYTES = 1_048_576
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

export const handlerThrew = (): StatusObject => refusal(status.UNKNOWN, 'Exception was thrown by handler.')

export const readAllFailed = (): StatusObject => refusal(status.UNKNOWN, 'Unexpected ReadAllResult: Error')

export const tooLarge = (): StatusObject =>
  refusal(status.RESOURCE_EXHAUSTED, 'Received message exceeds the maximum configured message size.')

export const unavailable = (): StatusObject => refusal(status.UNAVAILABLE, 'Server Is Not Ready')

export const unauthenticated = (): StatusObject => refusal(status.UNAUTHENTICATED, 'UNAUTHENTICATED')

export const permissionDenied = (): StatusObject => refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })

export const commitTimeout = (): StatusObject => refusal(status.ABORTED, 'Operation timed out: Commit phase timeout')

export const tooSlow = (): StatusObject => refusal(status.ABORTED, 'Operation timed out: Consumer too slow to handle event while live.')

export const notLeader = (host: string, port: number): StatusObject =>
  refusal(status.NOT_FOUND, `Leader info available: ${host}:${port}`, {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  })

export const streamDeleted = (stream: string): StatusObject =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, { exception: 'stream-deleted', 'stream-name': stream })

export const appendTooLarge = (): StatusObject =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  })

export const typeMissing = (): StatusObject =>
  refusal(status.INVALID_ARGUMENT, 'Required Metadata Property type is missing', {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type',
  })

/** For a deletion; an append returns this in its reply. */
export const wrongVersion = (stream: string, expected: Expected, actual: number | undefined): StatusObject =>
  refusal(status.FAILED_PRECONDITION, `Append failed due to WrongExpectedVersion. Stream: ${stream}`, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(typeof expected === 'number' ? expected : EXPECTED_NUMBERS[expected]),
    ...(actual === undefined ? {} : { 'actual-version': String(actual) }),
  })

function refusal(code: status, details: string, trailers: Readonly<Record<string, string>> = {}): StatusObject {
  const metadata = new Metadata()
  // A header allows ASCII only.
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value.replaceAll(/[^\x20-\x7e]/g, '?'))
  return { code, details, metadata }
}
