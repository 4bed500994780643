import t from 'tap'
import { derivedEventId, derivedId } from '../../src/events/derived-id.ts'
import { parseId } from '../../src/vocabulary/id.ts'
import { fromSeq, later, START, toPosition, toSeq } from '../../src/events/position.ts'
import { claimStream, movieStream, playbackStream, watchedStream } from '../../src/events/streams.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { named } from '../fixtures/names.ts'

t.test('an identifier has 21 characters of its alphabet, the first one alphanumeric', async (t) => {
  t.equal(parseId('V1StGXR8_Z5jdHi6B-myT'), 'V1StGXR8_Z5jdHi6B-myT')
  t.equal(parseId('0'.repeat(21)), '0'.repeat(21))
  const wrong = [
    '',
    'a'.repeat(20),
    'a'.repeat(22),
    `-${'a'.repeat(20)}`,
    `_${'a'.repeat(20)}`,
    `${'a'.repeat(20)}.`,
    `${'a'.repeat(21)}\n`,
  ]
  for (const text of [...wrong, `${'a'.repeat(20)}é`, '../../../../etc/passwd']) t.equal(parseId(text), undefined, JSON.stringify(text))
})

t.test('new identifiers have the right shape', async (t) => {
  const ids = createTestIds()
  t.ok(parseId(ids.next()))
  t.not(ids.next(), ids.next())
})

t.test('derived ids are the same for the same source and differ by source, label and kind', async (t) => {
  const id = derivedEventId('session', 'MovieCompleted')
  t.equal(id, derivedEventId('session', 'MovieCompleted'))
  t.not(id, derivedEventId('session2', 'MovieCompleted'))
  t.not(id, derivedEventId('session', 'PlaybackEnded'))
  t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'a UUID of version 8')
  t.equal(derivedId('person', 'fritz lang'), derivedId('person', 'fritz lang'))
  t.not(derivedId('person', 'fritz lang'), derivedId('image', 'fritz lang'))
  t.ok(parseId(derivedId('person', 'Ω')), 'an identifier like any other')
  t.equal(derivedEventId('a', 'b'), '397c5716-bfd1-86d6-8c89-561958a0a977', 'fixed forever: events are told apart by it')
})

t.test('positions sort as text like the numbers they stand for', async (t) => {
  const numbers = [0, 9, 10, 99, 100, 2 ** 53, 18_446_744_073_709_551_615n]
  const positions = numbers.map(toPosition)
  t.strictSame([...positions].sort(), positions)
  t.ok(positions.every((position) => position.length === 20))
  t.equal(START, toPosition(0))
  t.equal(later(toPosition(9), toPosition(10)), toPosition(10))
})

t.test('a seq is the decimal number without padding', async (t) => {
  for (const seq of ['0', '7', '18231', '9007199254740993', '18446744073709551615']) {
    const position = fromSeq(seq)
    t.equal(position && toSeq(position), seq)
  }
  for (const wrong of ['', '-1', '+5', '5.0', '1e1', ' 5', '05', '0x5', '1'.repeat(21), 'abc']) t.equal(fromSeq(wrong), undefined, wrong)
})

t.test('names of streams split at their first dash into category and key', async (t) => {
  t.equal(movieStream(named('m')), `movie-${named('m')}`)
  t.equal(watchedStream(named('u'), named('m')), `watched-${named('u')}_${named('m')}`)
  for (const stream of [playbackStream(named('s')), watchedStream(named('u'), named('m')), claimStream('ab'.repeat(32))]) {
    t.match(stream, /^[a-z]+-[\w-]+$/, stream)
  }
})
