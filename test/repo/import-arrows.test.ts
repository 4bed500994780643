import t from 'tap'
import { wrongArrows } from './import-arrows.ts'

t.test('every import points the way the house allows', (t) => {
  t.strictSame(wrongArrows(), [])
  t.end()
})
