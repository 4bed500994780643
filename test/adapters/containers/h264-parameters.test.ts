import t from 'tap'
import { reorderedFrames } from '../../../src/adapters/containers/h264-parameters.ts'

/** High profile with usability information, made by x264; and the same without the flag of the restrictions. */
const STATED = '0164000bffe100196764000bacd9430ffbc044000003000400000300f03c50a65801000568ef825cb0fdf8f800'
const UNSTATED = STATED.replace('f03c50', 'f01c50')

const reordered = (hex: string): number | undefined => reorderedFrames(Uint8Array.from(Buffer.from(hex, 'hex')))

/** A configuration with these sets. */
const withSets = (...sets: readonly string[]): string =>
  `0164000bff${(0xe0 + sets.length).toString(16)}${sets.map((set) => (set.length / 2).toString(16).padStart(4, '0') + set).join('')}00`

/** Bits of a set, padded. */
const setOf = (bits: string): string => {
  const padded = bits.replaceAll(' ', '').padEnd(Math.ceil(bits.replaceAll(' ', '').length / 8) * 8, '0')
  return `67${(padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, '0')).join('')}`
}

/** Main profile, level 3.0, id 0, frame numbers of 4 bits. */
const MAIN = '01001101 00000000 00011110 1 1'
/** One reference, 1 by 1 macroblock, whole frames, no cropping. */
const SIZE = '010 0 1 1 1 0 0'

/** The flag of the restrictions, those before the number of frames, and two frames. */
const TWO = '1 1 1 1 1 1 011 1'

t.test('H.264 states how many frames are reordered, or does not', async (t) => {
  t.equal(reordered(STATED), 2)
  t.equal(reordered(UNSTATED), undefined)
})

t.test('frames in the order of decoding need no such statement', async (t) => {
  t.equal(reordered(withSets(setOf(`${MAIN} 011 ${SIZE} 0`))), 0, 'order of type 2')
  t.equal(reordered(withSets(setOf(`${MAIN} 1 1 ${SIZE} 0`))), undefined, 'order of type 0, nothing else said')
})

t.test('what comes before the statement is skipped', async (t) => {
  const plain = '0 0 0 0 0'
  t.equal(reordered(withSets(setOf(`${MAIN} 1 1 ${SIZE} 1 ${plain} 0 0 0 ${TWO}`))), 2)
  const cycle = `010 0 1 1 010 011`
  t.equal(reordered(withSets(setOf(`${MAIN} ${cycle} ${SIZE} 1 ${plain} 0 0 0 ${TWO}`))), 2, 'order of type 1')
  const aspect = `1 11111111 ${'1'.repeat(32)}`
  const timing = `1 ${'1'.repeat(65)}`
  const buffering = `1 010 ${'1'.repeat(8)} ${'1 1 1'.repeat(2)} ${'1'.repeat(20)}`
  const all = `${aspect} 1 1 1 1111 1 ${'1'.repeat(24)} 1 1 1 ${timing} ${buffering} ${buffering} 1 1`
  t.equal(reordered(withSets(setOf(`${MAIN} 1 1 ${SIZE} 1 ${all} ${TWO}`))), 2, 'everything is said')
  t.equal(reordered(withSets(setOf(`${MAIN} 1 1 ${SIZE} 1 ${all} 0`))), undefined)
  const lists = `010 1 1 0 1 1 ${'1'.repeat(16)} ${'0'.repeat(7)}`
  const high = MAIN.replace('01001101', '01100100').replace(/1 1$/, `1 ${lists} 1`)
  t.equal(reordered(withSets(setOf(`${high} 1 1 ${SIZE} 1 ${plain} 0 0 0 ${TWO}`))), 2, 'scaling lists')
})

t.test('each set counts, and nothing is believed of what is cut off', async (t) => {
  const [stated, unstated] = [setOf(`${MAIN} 011 ${SIZE} 0`), setOf(`${MAIN} 1 1 ${SIZE} 0`)]
  t.equal(reordered(withSets(stated, setOf(`${MAIN} 1 1 ${SIZE} 1 0 0 0 0 0 0 0 0 ${TWO}`))), 2, 'the most')
  t.equal(reordered(withSets(stated, unstated)), undefined)
  t.equal(reordered(withSets()), undefined)
  t.equal(reordered('0164000b'), undefined)
  // The statement ends in byte 32.
  for (let length = 0; length < 32; length++) t.equal(reordered(STATED.slice(0, length * 2)), undefined, `${length} bytes`)
})
