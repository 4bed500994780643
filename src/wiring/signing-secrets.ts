/**
 * Provides the secrets that sign stream tokens and cursors: the configured ones, otherwise one that the first start generates and stores
 * beside the log.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeDurably } from '../adapters/shared/durable-file.ts'
import type { Config } from '../config/config.ts'
import { isSigningSecret } from '../config/values.ts'
import type { Report } from '../ports/report.ts'
import type { DataFolder } from '../process/data-folder.ts'
import { StartRefused } from '../process/start-failure.ts'

const SECRET_BYTES = 32

/**
 * The signing secret first, followed by those that still verify. The caller owns the folder. @throws StartRefused the stored secret is too
 * short
 */
export function signingSecrets(
  config: Pick<Config, 'secret' | 'previousSecret'>,
  folder: Pick<DataFolder, 'secret'>,
  report: Report,
): readonly [string, ...string[]] {
  const older = config.previousSecret === undefined ? [] : [config.previousSecret]
  return [config.secret ?? keptSecret(folder.secret, report), ...older]
}

/** The secret that the folder keeps; undefined if there is none. Its length is not checked. */
export function storedSecret({ secret: path }: Pick<DataFolder, 'secret'>): string | undefined {
  if (!existsSync(path)) return undefined
  const stored = readFileSync(path, 'utf8')
  return isBlank(stored) ? undefined : stored
}

/** A crash or a full disk can leave a file without content, or one of zeros. Anyone could sign with such a secret. */
const isBlank = (text: string): boolean => /^[\0\s]*$/.test(text)

export const isUsableSecret = (secret: string): boolean => !isBlank(secret) && isSigningSecret(secret)

function keptSecret(path: string, report: Report): string {
  const stored = storedSecret({ secret: path })
  if (stored === undefined) return newSecret(path, report)
  if (isUsableSecret(stored)) return stored
  throw new StartRefused(
    `${path} holds a signing secret of fewer than 32 characters, which can be guessed. Delete this file: the next start makes a new secret. ` +
      'Or name a longer one with MARQUEE_SECRET.',
  )
}

function newSecret(path: string, report: Report): string {
  const isReplaced = existsSync(path)
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  writeDurably(path, secret)
  if (isReplaced) report(`${path} was empty: a new signing secret is stored there. Players ask for their streams again.`, 'warn')
  return secret
}
