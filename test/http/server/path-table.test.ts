import t from 'tap'
import { createPathTable, isPreferred, overlap, partsOf } from '../../../src/http/server/path-table.ts'

const URLS = [
  '/v1/movies',
  '/v1/movies/:id',
  '/v1/movies/anchors',
  '/v1/movies/:id/credits',
  '/v1/audit/tile/*',
  '/',
  '/docs/',
  '/docs',
] as const

t.test('a path finds the most specific of the routes that it fits', async (t) => {
  const table = createPathTable<string>()
  for (const url of URLS) table.add(url, url)
  for (const [path, url] of [
    ['/v1/movies', '/v1/movies'],
    ['/v1/%6Dovies', '/v1/movies'],
    ['/v1/movies/anchors', '/v1/movies/anchors'],
    ['/v1/movies/a%2Fb', '/v1/movies/:id'],
    ['/v1/movies/', '/v1/movies/:id'],
    ['/v1/movies/anchors/credits', '/v1/movies/:id/credits'],
    ['/v1/audit/tile/8/x001/067', '/v1/audit/tile/*'],
    ['/', '/'],
    ['/docs/', '/docs/'],
    ['/v1/movies/%zz/credits', '/v1/movies/:id/credits'],
  ] as const) {
    t.equal(table.find(path), url, path)
  }
  for (const path of ['/v1', '/v1/movies/1/2', '/v1/audit/tile', '/v1/movies/constructor/credits/x', '/__proto__', 'v1/movies', '']) {
    t.equal(table.find(path), undefined, path)
  }
})

t.test('two routes overlap if one path fits both', async (t) => {
  for (const [one, other, isSo] of [
    ['/v1/movies/:id', '/v1/movies/anchors', true],
    ['/v1/movies/:id', '/v1/movies', false],
    ['/v1/movies/:id/credits', '/v1/movies/:movieId/:part', true],
    ['/v1/movies/:id/credits', '/v1/movies/:id/file-stats', false],
    ['/docs/static/*', '/docs/static/index.html', true],
    ['/docs/static/*', '/docs/json', false],
  ] as const) {
    t.equal(overlap(partsOf(one), partsOf(other)), isSo, `${one} ${other}`)
    t.equal(overlap(partsOf(other), partsOf(one)), isSo, `${other} ${one}`)
  }
})

t.test('of two that overlap the router prefers names to parameters, and these to the rest', async (t) => {
  for (const [one, other] of [
    ['/movies/marks', '/movies/:id'],
    ['/a/b/:y', '/a/:x/b'],
    ['/a/:x', '/a/*'],
    ['/a/b', '/a/*'],
    ['/a/b/c', '/a/*'],
  ] as const) {
    t.equal(isPreferred(partsOf(one), partsOf(other)), true, one)
    t.equal(isPreferred(partsOf(other), partsOf(one)), false, other)
  }
})
