import t from 'tap'
import { actionOf, escapeOf, KEY_LIST, nextSpeed, type Focus, type Press } from '../../../web/player/keys.ts'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  ...more,
})
const meaning = (key: string, focus: Focus = 'nothing', more: Partial<Press> = {}) => actionOf(press(key, more), focus)

t.test('every key of the list means something', (t) => {
  const names: Readonly<Record<string, readonly Press[]>> = {
    'Space  K': [press(' '), press('k')],
    '←  →': [press('ArrowLeft'), press('ArrowRight')],
    '↑  ↓': [press('ArrowUp'), press('ArrowDown')],
    'Shift+C': [press('C', { shiftKey: true })],
    '0 – 9': Array.from({ length: 10 }, (_, digit) => press(String(digit))),
    Esc: [press('Escape')],
    '<  >': [press('<', { shiftKey: true }), press('>', { shiftKey: true })],
    '?': [press('?', { shiftKey: true })],
  }
  for (const [written] of KEY_LIST) {
    const presses = names[written] ?? written.split('  ').map((key) => press(key.toLowerCase()))
    for (const one of presses) t.ok(actionOf(one, 'nothing'), `${written}: ${one.key}`)
  }
  t.end()
})

t.test('digits go to tenths, J and L ten seconds, arrows five', (t) => {
  t.strictSame(meaning('7'), { type: 'seek-share', share: 0.7 })
  t.strictSame(meaning('j'), { type: 'seek-by', seconds: -10 })
  t.strictSame(meaning('ArrowRight'), { type: 'seek-by', seconds: 5 })
  t.end()
})

t.test('Space on a button presses that button, and plays or pauses everywhere else', (t) => {
  t.equal(meaning(' ', 'button'), undefined)
  t.strictSame(meaning(' ', 'slider'), { type: 'toggle' })
  t.strictSame(meaning('k', 'button'), { type: 'toggle' })
  t.end()
})

t.test('keys with modifiers belong to the browser, and those in fields to the field', (t) => {
  t.equal(meaning('f', 'nothing', { ctrlKey: true }), undefined)
  t.equal(meaning('c', 'nothing', { metaKey: true }), undefined)
  t.equal(meaning('l', 'field'), undefined)
  t.equal(meaning('ArrowDown', 'menu'), undefined)
  t.equal(meaning('ArrowLeft', 'slider'), undefined)
  t.strictSame(meaning('Escape', 'field'), { type: 'back' })
  t.end()
})

t.test('without single keys only those are left that write no character', (t) => {
  const without = (key: string, more: Partial<Press> = {}) => actionOf(press(key, more), 'nothing', false)
  for (const key of ['k', 'j', 'l', 'M', 'c', '5', ',', '<', '?', 'z']) t.equal(without(key), undefined, key)
  t.equal(without('C', { shiftKey: true }), undefined)
  t.strictSame(without(' '), { type: 'toggle' })
  t.strictSame(without('ArrowLeft'), { type: 'seek-by', seconds: -5 })
  t.strictSame(without('Escape'), { type: 'back' })
  t.strictSame(without('MediaPlayPause'), { type: 'toggle' })
  t.end()
})

t.test('a key that is held down seeks on, and toggles once', (t) => {
  t.ok(meaning('l', 'nothing', { repeat: true }))
  t.equal(meaning('k', 'nothing', { repeat: true }), undefined)
  t.end()
})

t.test('Escape closes the menu, then hides the controls, then leaves fullscreen, then the page', (t) => {
  t.equal(escapeOf({ menu: true, controls: true, fullscreen: true }), 'close-menu')
  t.equal(escapeOf({ menu: false, controls: true, fullscreen: true }), 'hide-controls')
  t.equal(escapeOf({ menu: false, controls: false, fullscreen: true }), 'leave-fullscreen')
  t.equal(escapeOf({ menu: false, controls: false, fullscreen: false }), 'leave-page')
  t.end()
})

t.test('speeds go up and down by steps and stop at the ends', (t) => {
  t.strictSame([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(2, 1), nextSpeed(0.5, -1), nextSpeed(1.1, 1)], [1.25, 0.75, 2, 0.5, 1.25])
  t.end()
})
