import t from 'tap'
import { chooseBurnIn } from '../../../src/app/playback/burn-in-choice.ts'
import type { BurnableKind } from '../../../src/domain/streaming/burn-in.ts'

const mediaFile = (['text', 'bitmap', 'styled'] as readonly BurnableKind[]).map((kind, index) => ({
  index,
  kind,
  language: null,
  title: null,
  forced: false,
  default: false,
}))

t.test('bitmaps are drawn because they are named, text only where that is asked for', async (t) => {
  t.equal(chooseBurnIn({}, mediaFile), undefined)
  t.equal(chooseBurnIn({ subtitleIndex: 0 }, mediaFile), undefined)
  t.equal(chooseBurnIn({ subtitleIndex: 0, burnSubtitle: true }, mediaFile), 0)
  t.equal(chooseBurnIn({ subtitleIndex: 1 }, mediaFile), 1)
  t.equal(chooseBurnIn({ subtitleIndex: 1, burnSubtitle: false }, mediaFile), 1)
  t.equal(chooseBurnIn({ subtitleIndex: 2 }, mediaFile), undefined)
  t.equal(chooseBurnIn({ subtitleIndex: 2, burnSubtitle: true }, mediaFile), 2)
})

t.test('a number that the film has not is refused, and so is drawing one that is not named', async (t) => {
  for (const asked of [{ subtitleIndex: 3 }, { subtitleIndex: 3, burnSubtitle: true }, { burnSubtitle: true }]) {
    t.match(chooseBurnIn(asked, mediaFile), { refusal: 'invalid', path: 'subtitleIndex' })
  }
})
