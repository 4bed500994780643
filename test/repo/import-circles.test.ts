import t from 'tap'
import { importCircles } from './import-circles.ts'

const circlesIn = (imports: Readonly<Record<string, readonly string[]>>) => importCircles(new Map(Object.entries(imports)))

t.test('files that import each other are a circle, and those that lead to one are not part of it', async (t) => {
  t.strictSame(circlesIn({ main: ['a'], a: ['b', 'd'], b: ['c'], c: ['a'], d: [] }), [['a', 'b', 'c']])
  t.strictSame(circlesIn({ a: ['a'] }), [['a']])
})

t.test('two ways to one file are none', async (t) => {
  t.strictSame(circlesIn({ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['elsewhere'] }), [])
})
