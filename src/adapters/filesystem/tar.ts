/** The little of tar (POSIX ustar) that a backup in one file needs: plain files with short names. */

export const BLOCK = 512
const [NAME, SIZE, SUM, MAGIC] = [0, 124, 148, 257]
const NAME_MAX = 100
const DIGITS = 11

/** The block before a file's bytes. */
export function tarHeader(name: string, sizeBytes: number): Uint8Array {
  if (Buffer.byteLength(name) > NAME_MAX) throw new RangeError(`${name} is too long a name for the backup file`)
  const block = Buffer.alloc(BLOCK)
  block.write(name, NAME)
  block.write('0000600\x000000000\x000000000\x00', NAME_MAX)
  block.write(`${sizeBytes.toString(8).padStart(DIGITS, '0')} `, SIZE)
  block.write('00000000000 ', SIZE + DIGITS + 1)
  block.write('        0', SUM)
  block.write('ustar\x0000', MAGIC)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, SUM)
  return block
}

/** The content of such a block; undefined for one of zeros, which ends the file. @throws Error it is none */
export function readTarHeader(block: Uint8Array): { readonly name: string; readonly sizeBytes: number } | undefined {
  const bytes = Buffer.from(block)
  if (bytes.every((byte) => byte === 0)) return undefined
  const sum = Number.parseInt(bytes.toString('latin1', SUM, SUM + 6), 8)
  const blank = Buffer.from(bytes).fill(' ', SUM, SUM + 8)
  if (sum !== sumOf(blank)) throw new Error('It is damaged, or no backup')
  const name = bytes.toString('utf8', NAME, NAME_MAX).replace(/\0.*$/s, '')
  return { name, sizeBytes: Number.parseInt(bytes.toString('latin1', SIZE, SIZE + DIGITS), 8) }
}

/** Bytes up to the next block. */
export const paddingOf = (sizeBytes: number): number => (BLOCK - (sizeBytes % BLOCK)) % BLOCK

const sumOf = (block: Uint8Array): number => block.reduce((sum, byte) => sum + byte, 0)
