/** Checkpoints that were cut off while they were appended, at any byte. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { treesIn } from '../../../src/app/audit/checkpoints.ts'
import { noteKey, signedCheckpoint } from '../../../src/app/audit/signed-note.ts'
import { tornLength } from '../../../src/app/audit/torn-note.ts'

const first = noteKey(Buffer.alloc(32, 1))
const second = noteKey(Buffer.alloc(32, 2), first.name)
const KEYS = [second, first]

const rootOf = (size: number) => createHash('sha256').update(`${size}`).digest()
const noteOf = (size: number) => `${signedCheckpoint({ size, root: rootOf(size) }, second, first)}\n`

function read(text: string | Buffer) {
  const found = treesIn(text.toString(), KEYS)
  return isRefusal(found) ? found.message : { sizes: found.trees.map(({ size }) => size), torn: found.torn }
}

const note = Buffer.from(noteOf(21))
/** A note is whole once its first signature is. */
const signed = note.indexOf('\n', note.indexOf('—')) + 1

t.test('a note that was cut off at any byte is skipped and counted, at the end and before the next one', async (t) => {
  for (let bytes = 1; bytes < note.length; bytes++) {
    const torn = note.subarray(0, bytes)
    const sizes = bytes < signed ? [1] : [1, 21]
    const isWhole = bytes === signed || bytes >= note.length - 1
    const expected = isWhole ? 0 : 1
    t.strictSame(read(Buffer.concat([Buffer.from(noteOf(1)), torn])), { sizes, torn: expected }, `the first ${bytes} bytes at the end`)
    const followed = Buffer.concat([Buffer.from(noteOf(1)), torn, Buffer.from(noteOf(22))])
    t.strictSame(read(followed), { sizes: [...sizes, 22], torn: expected }, `the first ${bytes} bytes, and a note`)
  }
})

t.test('its bytes are counted, so that they can be removed, and nothing else is', async (t) => {
  const lengthOf = (bytes: Buffer) => tornLength(bytes.toString('latin1'), first.name)
  for (const before of ['', noteOf(1), 'kept by hand: Zoë — ok\n', `${noteOf(1)}${noteOf(2)}`]) {
    const start = Buffer.from(before)
    t.equal(lengthOf(start), 0)
    for (let bytes = 1; bytes < note.length; bytes++) {
      const whole = bytes < signed ? 0 : bytes < note.length - 1 ? signed : bytes
      const torn = Buffer.concat([start, note.subarray(0, bytes)])
      t.equal(lengthOf(torn), bytes - whole, `the first ${bytes} bytes`)
      t.equal(lengthOf(Buffer.concat([torn, Buffer.alloc(9)])), bytes - whole + 9, 'zeros, which a power cut leaves, are removed')
    }
  }
})

t.test('a whole note with another content is still refused, wherever it is', async (t) => {
  const other = noteOf(21).replace('\n21\n', '\n20\n')
  for (const text of [other, noteOf(1) + other, other + noteOf(22)]) t.match(read(text), /its signature does not fit$/)
  const half = noteOf(21).replace(/— (\S+) (\S{40})\S+\n/, '— $1 $2\n')
  t.match(read(noteOf(1) + half + noteOf(22)), /its signature does not fit$/, 'a line that ends is no cut-off one')
  t.match(read(`${noteOf(1)}some text\n${noteOf(22)}`), /it is no signed note of a log$/)
})

t.test('a file of nothing but a cut-off note has no checkpoint', async (t) => {
  t.equal(read(note.subarray(0, 40)), 'There is no whole checkpoint in this file')
  t.equal(read('some text\n'), 'There is no checkpoint in this file')
})
