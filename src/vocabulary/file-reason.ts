/** Says why a file or folder cannot be used, as a part of a sentence for people. */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'something else has its name',
  ELOOP: 'the symbolic links form a loop',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk cannot read or write it',
  ETIMEDOUT: 'its drive does not answer',
}

/** @param cause an error of `node:fs`; of any other one the message is given, which may name a path */
export const fileReason = (cause: unknown): string =>
  knownFileReason(fileErrorCode(cause)) ?? (cause instanceof Error ? cause.message : String(cause))

/** Undefined for a code that is not among them. */
export const knownFileReason = (code: string): string | undefined => REASONS[code]

/** Such as `ENOENT`. */
export const fileErrorCode = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown')

/** Whether this user may not use it, while another one may. */
export const isDenied = (cause: unknown): boolean => ['EACCES', 'EPERM'].includes(fileErrorCode(cause))
