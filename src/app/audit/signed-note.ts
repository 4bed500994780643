/**
 * Signed notes and checkpoints in the format of C2SP (c2sp.org/signed-note, c2sp.org/tlog-checkpoint): a text, an empty line, and for each
 * signature `— <name> <base64 of key hash and signature>`. Signatures are Ed25519.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { HASH_BYTES, type Tree } from '../../events/merkle-tree.ts'

/** Public key that verifies notes. */
export interface VerifierKey {
  /** Also the origin of checkpoints. */
  readonly name: string
  /** 4 bytes that identify the key among those of the same name. */
  readonly hash: Uint8Array
  readonly publicKey: KeyObject
}

export interface NoteKey extends VerifierKey {
  readonly privateKey: KeyObject
  /** `<name>+<hash in hex>+<base64 of type and key>`: given to others to verify notes. */
  readonly verifier: string
}

/** Type byte of Ed25519 keys in signed notes. */
const ALGORITHM = Buffer.of(1)
const HASH_LENGTH = 4
const RAW_LENGTH = 32
/** DER prefix of a 32-byte private key (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const NAME_DIGITS = 16
const SIGNATURE = '— '

/** `seed`: 32 random bytes. The name identifies the installation: it derives from its first key, and all later keys have the same name. */
export function noteKey(seed: Uint8Array, installation?: string): NoteKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_LENGTH)
  const name = installation ?? `marquee/${createHash('sha256').update(raw).digest('hex').slice(0, NAME_DIGITS)}`
  const typed = Buffer.concat([ALGORITHM, raw])
  const hash = keyHash(name, typed)
  return { name, hash, privateKey, publicKey, verifier: `${name}+${hash.toString('hex')}+${typed.toString('base64')}` }
}

const keyHash = (name: string, typed: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, HASH_LENGTH)

/** The key in a text `<name>+<hash>+<key>`; undefined if it is malformed. */
export function readVerifier(text: string): VerifierKey | undefined {
  const [, name = '', hash = '', encoded = ''] = /^([^+\s]{1,200})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{1,100})$/.exec(text.trim()) ?? []
  const typed = Buffer.from(encoded, 'base64')
  if (typed.length !== ALGORITHM.length + RAW_LENGTH || typed[0] !== ALGORITHM[0]) return undefined
  if (keyHash(name, typed).toString('hex') !== hash) return undefined
  const key = Buffer.concat([PUBLIC_PREFIX, typed.subarray(ALGORITHM.length)])
  return { name, hash: Buffer.from(hash, 'hex'), publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) }
}

/** Splits a text that holds several notes: each ends with its last signature. */
export function notesIn(text: string): readonly string[] {
  const notes: string[] = []
  let lines: string[] = []
  for (const line of text.split('\n')) {
    const isSigned = lines.at(-1)?.startsWith(SIGNATURE) === true
    if (isSigned && !line.startsWith(SIGNATURE)) {
      notes.push(lines.map((one) => `${one}\n`).join(''))
      lines = []
    }
    // Skip empty lines between two notes.
    if (lines.length > 0 || line !== '') lines.push(line)
  }
  return notes
}

/** Signed with each of the keys, which belong to one installation. */
export function signedCheckpoint({ size, root }: Tree, ...keys: readonly [NoteKey, ...NoteKey[]]): string {
  const text = `${keys[0].name}\n${size}\n${Buffer.from(root).toString('base64')}\n`
  const lines = keys.map(({ name, hash, privateKey }) => {
    const signature = Buffer.concat([hash, sign(null, Buffer.from(text), privateKey)])
    return `— ${name} ${signature.toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

/** Why a note is rejected. */
export type NoteFault = 'malformed' | 'unknown_key' | 'bad_signature'

/** The tree of a checkpoint that one of the keys has signed. Signatures of other keys are ignored, as the standard requires. */
export function openedCheckpoint(note: string, keys: readonly VerifierKey[]): Tree | NoteFault {
  const [, text, signatures] = /^((?:[^\n]+\n){3,})\n((?:— [^ \n]+ [A-Za-z0-9+/=]+\n)+)$/.exec(note) ?? []
  const tree = text === undefined ? undefined : treeOf(text)
  if (text === undefined || signatures === undefined || !tree) return 'malformed'
  const lines = signatures
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
  const known = lines.flatMap(([, name, encoded = '']) => {
    const bytes = Buffer.from(encoded, 'base64')
    const key = keys.find((one) => one.name === name && Buffer.compare(one.hash, bytes.subarray(0, HASH_LENGTH)) === 0)
    return key ? [{ key, signature: bytes.subarray(HASH_LENGTH) }] : []
  })
  if (known.length === 0) return 'unknown_key'
  const isSigned = known.every(({ key, signature }) => verify(null, Buffer.from(text), key.publicKey, signature))
  return isSigned && known.some(({ key }) => text.startsWith(`${key.name}\n`)) ? tree : 'bad_signature'
}

function treeOf(text: string): Tree | undefined {
  const [, size = '', encoded = ''] = text.split('\n')
  const root = Buffer.from(encoded, 'base64')
  const isWhole = /^(0|[1-9]\d{0,14})$/.test(size) && root.length === HASH_BYTES && root.toString('base64') === encoded
  return isWhole ? { size: Number(size), root } : undefined
}
