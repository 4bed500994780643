import t from 'tap'
import { SECOND_KEY_MS, shortcutOf, type Pressed } from '../../../web/data/shortcuts.ts'
import { PAGES } from '../../../web/pages.ts'

const PATHS = PAGES.map(({ path }) => path)
const press = (key: string, more: Partial<Pressed> = {}) =>
  shortcutOf({ key, isModified: false, isTyping: false, waitsSince: undefined, nowMs: 10_000, isOn: true, ...more }, PATHS)

t.test('a slash searches, Z undoes, G waits for a second key', async (t) => {
  t.strictSame(press('/'), { does: 'search' })
  t.strictSame(press('z'), { does: 'undo' })
  t.strictSame(press('g'), { does: 'wait' })
  t.equal(press('x'), undefined)
})

t.test('G and a letter go to a page, if there is such a page and the letter comes soon', async (t) => {
  const waitsSince = 9500
  t.strictSame(press('h', { waitsSince }), { does: 'go', to: '/' })
  t.strictSame(press('f', { waitsSince }), { does: 'go', to: '/films' })
  t.strictSame(press('w', { waitsSince }), { does: 'go', to: '/watchlist' })
  t.equal(press('q', { waitsSince }), undefined)
  t.equal(press('f'), undefined)
  t.equal(press('f', { waitsSince: 10_000 - SECOND_KEY_MS }), undefined)
  t.equal(shortcutOf({ key: 'n', isModified: false, isTyping: false, waitsSince, nowMs: 10_000, isOn: true }, ['/']), undefined)
})

t.test('keys in fields and keys of the browser are left alone', async (t) => {
  for (const key of ['/', 'z', 'g']) {
    t.equal(press(key, { isTyping: true }), undefined)
    t.equal(press(key, { isModified: true }), undefined)
  }
  t.equal(press('f', { waitsSince: 9900, isTyping: true }), undefined)
})

t.test('a person who turned single keys off has none of them', async (t) => {
  for (const key of ['/', 'z', 'g']) t.equal(press(key, { isOn: false }), undefined)
  t.equal(press('f', { waitsSince: 9900, isOn: false }), undefined)
})
