import t from 'tap'
import { readTilePath } from '../../../src/http/audit/tile-path.ts'

t.test('the paths of the standard name tiles', async (t) => {
  t.strictSame(readTilePath('0/000'), { level: 0, index: 0, width: 256 })
  t.strictSame(readTilePath('1/x001/x234/067'), { level: 1, index: 1_234_067, width: 256 })
  t.strictSame(readTilePath('0/x001/067.p/8'), { level: 0, index: 1067, width: 8 })
  t.strictSame(readTilePath('entries/003.p/255'), { level: 'entries', index: 3, width: 255 })
})

t.test('nothing else does', async (t) => {
  const paths = [
    '',
    '0',
    '0/0',
    '0/0000',
    '0/x000/001',
    '6/000',
    '00/000',
    '-1/000',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/',
    'data/000',
    '0/000/',
    '0/../0/000',
  ]
  t.strictSame(
    paths.filter((path) => readTilePath(path) !== undefined),
    [],
  )
})
