import t from 'tap'
import { isMapCurrent, wrongArrows, wrongCircles } from './import-arrows.ts'

t.test('every import points the way the table of layers allows', (t) => {
  t.strictSame(wrongArrows(), [])
  t.end()
})

t.test('no files of the server import each other in a circle', (t) => {
  t.strictSame(wrongCircles(), [])
  t.end()
})

t.test('The map in docs/development.md is the table of layers', (t) => {
  t.ok(isMapCurrent(), 'npm run arrows -- --write && npm run fix brings it up to date')
  t.end()
})
