/**
 * The vault's keys in a backup: a file of their own. When a person was erased, the next backup takes their key out of the files of all
 * earlier ones in the same folder, too.
 */
import { Type, type Static } from 'typebox'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { VaultContents } from '../../ports/vault.ts'
import { messageSchema } from '../message-schema.ts'
import { jsonBytes, sha256, VAULTS } from './backup-format.ts'
import { sealed, unsealed, type BackupPlace } from './backup-place.ts'

const Contents = Type.Object({
  keys: Type.Array(Type.Object({ subject: Type.String(), key: Type.Union([Type.String(), Type.Null()]) })),
  passwordHashes: Type.Array(Type.Object({ userId: Type.String(), version: Type.Integer(), hash: Type.String() })),
  secrets: Type.Array(Type.Object({ name: Type.String(), secret: Type.String() })),
  /** What signs stream tokens, if the settings do not name it. */
  signingSecret: Type.Union([Type.String(), Type.Null()]),
})
const File = Type.Object({ sha256: Type.String(), contents: Contents })
type Contents = Static<typeof Contents>
const isFile = messageSchema(File)

export interface BackedUpVault extends VaultContents {
  readonly signingSecret: string | null
}

export async function writeVault(place: BackupPlace, name: string, vault: BackedUpVault): Promise<void> {
  await writeContents(place, name, {
    keys: vault.keys.map(({ subject, key }) => ({ subject, key: key && Buffer.from(key).toString('base64') })),
    passwordHashes: [...vault.passwordHashes],
    secrets: vault.secrets.map(({ name: of, secret }) => ({ name: of, secret: Buffer.from(secret).toString('base64') })),
    signingSecret: vault.signingSecret,
  })
}

/** Refusal: `invalid`. */
export async function readVault(place: BackupPlace, name: string): Promise<BackedUpVault | Refusal> {
  const contents = await readContents(place, name)
  if (contents === undefined)
    return refuse('invalid', `${name} with the keys is missing or damaged: without it nobody could sign in, and no name could be read`)
  const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'))
  return {
    keys: contents.keys.map(({ subject, key }) => ({ subject, key: key === null ? null : bytes(key) })),
    passwordHashes: contents.passwordHashes,
    secrets: contents.secrets.map(({ name: of, secret }) => ({ name: of, secret: bytes(secret) })),
    signingSecret: contents.signingSecret,
  }
}

/**
 * The vault before and after the log was read, as one: a password that was changed meanwhile has both its hashes, and a key that was
 * destroyed meanwhile is in neither.
 */
export function togetherVaults(before: VaultContents, after: VaultContents): VaultContents {
  const erased = erasedIn(after)
  const hashes = new Map([...before.passwordHashes, ...after.passwordHashes].map((one) => [`${one.userId}:${one.version}`, one]))
  return {
    keys: [...new Map([...before.keys, ...after.keys].map((one) => [one.subject, one])).values()],
    passwordHashes: [...hashes.values()].filter(({ userId }) => !erased.has(userId)),
    secrets: [...new Map([...before.secrets, ...after.secrets].map((one) => [one.name, one])).values()],
  }
}

export const erasedIn = ({ keys }: VaultContents): ReadonlySet<string> =>
  new Set(keys.filter(({ key }) => key === null).map(({ subject }) => subject))

/** Takes what belongs to the erased out of all vault files there. Gives how many files changed. */
export async function forgetErased(place: BackupPlace, erased: ReadonlySet<string>): Promise<number> {
  let changed = 0
  for (const name of erased.size === 0 ? [] : await place.store.list(VAULTS)) {
    const contents = await readContents(place, name)
    const keeps = contents?.keys.some(({ subject, key }) => key !== null && erased.has(subject))
    if (!contents || !keeps) continue
    const keys = contents.keys.map(({ subject, key }) => ({ subject, key: erased.has(subject) ? null : key }))
    const passwordHashes = contents.passwordHashes.filter(({ userId }) => !erased.has(userId))
    await writeContents(place, name, { ...contents, keys, passwordHashes })
    changed++
  }
  return changed
}

const writeContents = async (place: BackupPlace, name: string, contents: Contents): Promise<void> =>
  place.store.write(name, await sealed(place, jsonBytes({ sha256: sumOf(contents), contents })))

async function readContents(place: BackupPlace, name: string): Promise<Contents | undefined> {
  const bytes = await place.store.read(name)
  if (bytes === undefined) return undefined
  try {
    const file: unknown = JSON.parse(Buffer.from(await unsealed(place, bytes)).toString('utf8'))
    return isFile(file) && sumOf(file.contents) === file.sha256 ? file.contents : undefined
  } catch {
    return undefined
  }
}

const sumOf = (contents: Contents): string => sha256(Buffer.from(JSON.stringify(contents)))
