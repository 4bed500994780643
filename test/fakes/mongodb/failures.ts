/** MongoDB's errors: src/mongo/base/error_codes.yml. */
import type { Document } from 'mongodb'

const CODES = {
  BadValue: 2,
  UnknownReplWriteConcern: 79,
  FailedToParse: 9,
  NamespaceNotFound: 26,
  NamespaceExists: 48,
  CursorNotFound: 43,
  CommandNotFound: 59,
  WriteConcernTimeout: 64,
  WriteConflict: 112,
  NoSuchTransaction: 251,
  NotWritablePrimary: 10_107,
  InterruptedDueToReplStateChange: 11_602,
  DuplicateKey: 11_000,
} as const

export type CodeName = keyof typeof CODES

export interface ServerFailure extends Error {
  readonly code: number
  readonly codeName: string
  readonly labels: readonly string[]
}

export function failure(codeName: CodeName, message: string, labels: readonly string[] = []): ServerFailure {
  return Object.assign(new Error(message), { code: CODES[codeName], codeName, labels })
}

export const isFailure = (error: unknown): error is ServerFailure => error instanceof Error && 'codeName' in error

export const replyOf = ({ code, codeName, message, labels }: ServerFailure): Document => ({
  ok: 0,
  code,
  codeName,
  errmsg: message,
  ...(labels.length > 0 ? { errorLabels: labels } : {}),
})

/** The error of one write in a command of several. */
export const writeErrorOf = ({ code, message }: ServerFailure, index: number): Document => ({ index, code, errmsg: message })

export const TRANSIENT = 'TransientTransactionError'
export const RETRYABLE = 'RetryableWriteError'
