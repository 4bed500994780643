/** Says why a file or folder cannot be used, as a part of a sentence for people. */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'something else has its name',
  ELOOP: 'its symbolic links form a loop',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk cannot read or write it',
}

/** @param cause an error of `node:fs`; of any other one the message is given */
export function fileReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))
}
