import t from 'tap'
import { readRange, type RangeAnswer } from '../../../src/http/server/ranges.ts'

const SIZE = 1000
const table: readonly (readonly [header: string | undefined, answer: RangeAnswer])[] = [
  [undefined, 'whole'],
  ['bytes=0-99', { first: 0, last: 99 }],
  ['bytes=500-599', { first: 500, last: 599 }],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=999-999', { first: 999, last: 999 }],
  ['bytes=0-', { first: 0, last: 999 }],
  ['bytes=950-', { first: 950, last: 999 }],
  ['bytes=-1', { first: 999, last: 999 }],
  ['bytes=-500', { first: 500, last: 999 }],
  ['bytes=-1000', { first: 0, last: 999 }],
  ['bytes=-5000', { first: 0, last: 999 }],
  ['bytes=990-5000', { first: 990, last: 999 }],
  ['bytes=0-99999999999999999999999', { first: 0, last: 999 }],
  ['bytes=000-0099', { first: 0, last: 99 }],
  ['BYTES=0-99', { first: 0, last: 99 }],
  [' bytes=0-99 ', { first: 0, last: 99 }],
  ['bytes= 0-99', { first: 0, last: 99 }],
  ['bytes=0-99,', { first: 0, last: 99 }],
  ['bytes=,0-99', { first: 0, last: 99 }],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=1000-1001', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-00', 'unsatisfiable'],
  ['bytes=5-4', 'whole'],
  ['bytes=5000-4000', 'whole'],
  ['bytes=0-99,200-299', 'whole'],
  ['bytes=0-0,-1', 'whole'],
  ['bytes=', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=1', 'whole'],
  ['bytes=1-2-3', 'whole'],
  ['bytes=--5', 'whole'],
  ['bytes=+1-2', 'whole'],
  ['bytes=1 - 2', 'whole'],
  ['bytes=1.5-2', 'whole'],
  ['bytes=0x1-2', 'whole'],
  ['bytes:0-99', 'whole'],
  ['bytes', 'whole'],
  ['items=0-99', 'whole'],
  ['seconds=1-2', 'whole'],
  ['', 'whole'],
]

t.test('a Range header is read as RFC 9110 says', (t) => {
  for (const [header, answer] of table) t.strictSame(readRange(header, SIZE), answer, String(header))
  t.end()
})

t.test('of an empty file no range can be given', (t) => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=-0']) t.equal(readRange(header, 0), 'unsatisfiable', header)
  t.equal(readRange(undefined, 0), 'whole')
  t.end()
})

t.test('a file of many gigabytes is addressed to the byte', (t) => {
  const size = 5_000_000_000_003
  t.strictSame(readRange(`bytes=${size - 2}-`, size), { first: size - 2, last: size - 1 })
  t.end()
})
