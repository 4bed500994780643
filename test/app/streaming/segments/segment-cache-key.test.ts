import t from 'tap'
import { cacheKeyOf } from '../../../../src/app/streaming/segments/segment-cache-key.ts'
import { planStreams } from '../../../../src/domain/streaming/plan.ts'
import { mediaFile, times } from '../../../fixtures/media-descriptions.ts'

const parts = [0, 1].map((one) => ({ startByte: one * 100, endByte: one * 100 + 100, durationMs: 1_000 }))

t.test('segments of a film in parts are not those of the same file read as one', async (t) => {
  const rendition = planStreams(mediaFile(), times()).video[0]!
  const kept = { fingerprint: 'f', zeroMs: 0, rendition }
  const [whole, joined, otherwise] = [undefined, parts, parts.map((part) => ({ ...part, durationMs: 2_000 }))].map((parts) =>
    cacheKeyOf({ ...kept, parts }),
  )
  t.equal(new Set([whole, joined, otherwise].map((key) => key?.rendition)).size, 3)
  t.equal(new Set([whole, joined, otherwise].map((key) => key?.source)).size, 1)
  t.strictSame(cacheKeyOf({ ...kept, parts: [...parts] }), joined)
})
