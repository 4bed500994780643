import t from 'tap'
import { createReadBuffers } from '../../../src/adapters/filesystem/read-buffers.ts'

const KB = 1024
const MB = 1024 * KB

t.test('what was given back is used again, for what is about as large', async (t) => {
  const buffers = createReadBuffers()
  const first = buffers.take(700 * KB)
  t.equal(first.byteLength, 700 * KB)
  buffers.giveBack(first)
  const [second, third] = [buffers.take(900 * KB), buffers.take(900 * KB)]
  t.equal(second.byteLength, 900 * KB)
  t.equal(second.buffer, first.buffer)
  t.not(third.buffer, first.buffer, 'which has not been given back')
  buffers.giveBack(second)
  t.not(buffers.take(300 * KB).buffer, first.buffer, 'too large for that')
})

t.test('no more than 32 MB wait to be used again, and none that is small or huge', async (t) => {
  const buffers = createReadBuffers()
  const taken = Array.from({ length: 40 }, () => buffers.take(MB))
  taken.forEach((buffer) => buffers.giveBack(buffer))
  const before = new Set(taken.map(({ buffer }) => buffer))
  t.equal(taken.map(() => buffers.take(MB)).filter(({ buffer }) => before.has(buffer)).length, 32)
  for (const sizeBytes of [0, 100, 40 * MB]) {
    const buffer = buffers.take(sizeBytes)
    t.equal(buffer.byteLength, sizeBytes)
    buffers.giveBack(buffer)
    t.not(buffers.take(sizeBytes).buffer, buffer.buffer)
  }
})
