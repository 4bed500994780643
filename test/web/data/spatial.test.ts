import t from 'tap'
import { nearestOn, nearestTo, type Edges } from '../../../web/data/spatial.ts'
import { choiceIn, isTelevision } from '../../../web/data/tv.ts'

const box = (left: number, top: number, width = 100, height = 50): Edges => ({ left, top, right: left + width, bottom: top + height })

t.test('right and left stay in the row, however near the next row is', async (t) => {
  const from = box(200, 100)
  const all = [box(500, 100), box(320, 155), box(0, 100), box(90, 40)]
  t.equal(nearestOn('ArrowRight', from, all), 0)
  t.equal(nearestOn('ArrowLeft', from, all), 2)
})

t.test('down and up go to the nearest row, and there to what stands below', async (t) => {
  const from = box(200, 100)
  const all = [box(0, 200), box(210, 200), box(400, 200), box(200, 400), box(190, 0)]
  t.equal(nearestOn('ArrowDown', from, all), 1)
  t.equal(nearestOn('ArrowUp', from, all), 4)
})

t.test('nothing is there beyond the edge, and what overlaps is not beyond', async (t) => {
  t.equal(nearestOn('ArrowLeft', box(0, 0), [box(0, 100), box(200, 0)]), undefined)
  t.equal(nearestOn('ArrowRight', box(0, 0, 400, 200), [box(100, 50)]), undefined)
  t.equal(nearestOn('ArrowDown', box(0, 0), []), undefined)
})

t.test('what is gone is replaced by what is nearest', async (t) => {
  t.equal(nearestTo(box(200, 100), [box(900, 0), box(250, 160), box(0, 0)]), 1)
  t.equal(nearestTo(box(0, 0), []), undefined)
})

t.test('televisions are known by their browser, unless the person has said otherwise', async (t) => {
  const lg = 'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.5359.211 Safari/537.36'
  const samsung = 'Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) 108.0.5359.1/8.0 TV Safari/537.36'
  const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
  const device = { search: '', agent: desktop, stored: null }
  t.ok(isTelevision({ ...device, agent: lg }))
  t.ok(isTelevision({ ...device, agent: samsung }))
  t.notOk(isTelevision(device))
  t.ok(isTelevision({ ...device, stored: 'on' }))
  t.notOk(isTelevision({ ...device, agent: lg, stored: 'off' }))
  t.ok(isTelevision({ ...device, search: '?sort=year&tv=1', stored: 'off' }))
  t.notOk(isTelevision({ ...device, agent: lg, search: '?tv=0' }))
  t.equal(choiceIn('?tv=yes'), undefined)
})
