import t from 'tap'
import { checkPreconditions, rangeHolds } from '../../../src/http/server/preconditions.ts'

const modifiedAtSeconds = Date.parse('2026-01-02T12:00:00Z') / 1000
const file = { etag: '"abc"', modifiedAtSeconds }
const date = (shift: number) => new Date((modifiedAtSeconds + shift) * 1000).toUTCString()

t.test('preconditions are looked at in the order of RFC 9110', (t) => {
  for (const [headers, answer] of [
    [{}, 'go'],
    [{ 'if-none-match': '"abc"' }, 'not-modified'],
    [{ 'if-none-match': 'W/"abc"' }, 'not-modified'],
    [{ 'if-none-match': '"x", "abc"' }, 'not-modified'],
    [{ 'if-none-match': '*' }, 'not-modified'],
    [{ 'if-none-match': '"x"' }, 'go'],
    [{ 'if-none-match': 'abc' }, 'go'],
    [{ 'if-modified-since': date(0) }, 'not-modified'],
    [{ 'if-modified-since': date(-1) }, 'go'],
    [{ 'if-modified-since': 'nonsense' }, 'go'],
    [{ 'if-none-match': '"x"', 'if-modified-since': date(0) }, 'go'],
    [{ 'if-match': '"abc"' }, 'go'],
    [{ 'if-match': '*' }, 'go'],
    [{ 'if-match': '"x", "abc"' }, 'go'],
    [{ 'if-match': 'W/"abc"' }, 'failed'],
    [{ 'if-match': '"x"' }, 'failed'],
    [{ 'if-unmodified-since': date(0) }, 'go'],
    [{ 'if-unmodified-since': date(-1) }, 'failed'],
    [{ 'if-unmodified-since': 'nonsense' }, 'go'],
    [{ 'if-match': '"abc"', 'if-unmodified-since': date(-1) }, 'go'],
    [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'failed'],
    [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 'not-modified'],
  ] as const) {
    t.equal(checkPreconditions(headers, file), answer, JSON.stringify(headers))
  }
  t.end()
})

t.test('a range is served for If-Range with the very version only: the strong tag or the exact date', (t) => {
  for (const [ifRange, holds] of [
    [undefined, true],
    ['"abc"', true],
    ['"x"', false],
    ['W/"abc"', false],
    [date(0), true],
    [date(1), false],
    [date(-1), false],
    ['abc', false],
    ['', false],
  ] as const) {
    t.equal(rangeHolds(ifRange, file), holds, String(ifRange))
  }
  t.equal(rangeHolds('W/"abc"', { etag: 'W/"abc"' }), false)
  t.end()
})
