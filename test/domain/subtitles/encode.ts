/** Encodes a text in an old encoding: inverts the decoder's table. */

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()
const TWO_BYTES = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5'])
/** Tone marks, which windows-1258 separates from the letters. */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/u

/** @throws Error the encoding cannot represent it */
export function encode(text: string, label: string): Uint8Array {
  const table = tables.get(label) ?? tableOf(label)
  tables.set(label, table)
  const characters = label === 'windows-1258' ? Array.from(text).flatMap(withToneApart) : Array.from(text)
  return Uint8Array.from(
    characters.flatMap((character) => {
      const bytes = table.get(character)
      if (!bytes) throw new Error(`${label} has no ${character}`)
      return bytes
    }),
  )
}

function withToneApart(character: string): readonly string[] {
  const marks = Array.from(character.normalize('NFD'))
  const letter = marks.filter((mark) => !TONES.test(mark)).join('')
  return [letter.normalize('NFC'), ...marks.filter((mark) => TONES.test(mark))]
}

function tableOf(label: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true })
  const table = new Map<string, readonly number[]>()
  const add = (bytes: readonly number[]): void => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes))
      if (Array.from(character).length === 1 && !table.has(character)) table.set(character, bytes)
    } catch {
      // Not a character.
    }
  }
  for (let byte = 0; byte < 256; byte++) add([byte])
  if (!TWO_BYTES.has(label)) return table
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail])
  return table
}
