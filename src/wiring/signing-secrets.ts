/**
 * Provides the secrets that sign stream tokens and cursors: the configured ones, otherwise one that the first start generates and stores
 * beside the log.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../process/data-folder.ts'

const SECRET_BYTES = 32

/** The signing secret first, followed by those that still verify. */
export function signingSecrets(
  config: Pick<Config, 'secret' | 'previousSecret'>,
  folder: Pick<DataFolder, 'secret'>,
): readonly [string, ...string[]] {
  const older = config.previousSecret === undefined ? [] : [config.previousSecret]
  return [config.secret ?? keptSecret(folder.secret), ...older]
}

function keptSecret(path: string): string {
  try {
    // Fails if the file exists: then its content is used.
    writeFileSync(path, randomBytes(SECRET_BYTES).toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  }
  return readFileSync(path, 'utf8')
}
