import t from 'tap'
import { createKeptTexts } from '../../../src/adapters/sqlite/read-store-kept-texts.ts'

const textOf = (text: string | null) => ({ member: 'card', text, at: '1' })
const TEN = textOf('0123456789')

t.test('texts help once most of the last pages were there, and no longer when they are not', (t) => {
  const texts = createKeptTexts()
  t.equal(texts.isHelpful(), false)
  for (let page = 0; page < 4; page++) texts.noted(20, 20)
  t.equal(texts.isHelpful(), true)
  for (let page = 0; page < 4; page++) texts.noted(2, 20)
  t.equal(texts.isHelpful(), false)
  texts.noted(0, 0)
  t.equal(texts.isHelpful(), false, 'an empty page says nothing')
  t.end()
})

t.test('what does not fit replaces little of what is there', (t) => {
  const texts = createKeptTexts(1_000)
  for (let n = 0; n < 1_000; n++) texts.put(`film ${n}`, TEN)
  const kept = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => texts.get(`film ${n}`))
  t.ok(kept.length > 90 && kept.length <= 100, `${kept.length} are kept`)
  for (let n = 0; n < 160; n++) texts.put(`other ${n}`, TEN)
  const later = kept.filter((n) => texts.get(`film ${n}`))
  t.ok(later.length >= kept.length - 20, `${later.length} are left`)
  t.ok(later.length < kept.length, 'some newcomers are taken in')
  t.end()
})

t.test('a text that was changed is gone, and a document without one has none', (t) => {
  const texts = createKeptTexts()
  texts.put('a', TEN)
  texts.put('b', textOf(null))
  texts.remove('a')
  t.equal(texts.get('a'), undefined)
  t.strictSame(texts.get('b'), textOf(null))
  t.end()
})
