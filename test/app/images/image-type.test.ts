import t from 'tap'
import { imageTypeOf } from '../../../src/app/images/image-type.ts'

t.test('an image is known by its first bytes, whatever its name', async (t) => {
  const samples = [
    ['ffd8ffe000104a464946', 'image/jpeg'],
    ['89504e470d0a1a0a0000000d', 'image/png'],
    ['524946462400000057454250', 'image/webp'],
    ['52494646240000005741564520', undefined, 'a sound'],
    ['3c73766720786d6c6e733d22', undefined, 'an SVG'],
    ['474946383961', undefined, 'a GIF'],
    ['ffd8', undefined, 'too short'],
    ['', undefined, 'empty'],
  ] as const
  for (const [hex, type, why] of samples) t.equal(imageTypeOf(Buffer.from(hex, 'hex')), type, why ?? type)
  const inside = new Uint8Array(Buffer.from(`0000${samples[1][0]}`, 'hex')).subarray(2)
  t.equal(imageTypeOf(inside), 'image/png', 'within a larger buffer')
})
