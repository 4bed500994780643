import t from 'tap'
import { mayLoadAnew } from '../../../web/data/upgrade.ts'

const OLD = { isOld: true, isPlaying: false, nowMs: 1_000_000, lastMs: 0 }

t.test('an old page is reloaded, at most once a minute', async (t) => {
  t.ok(mayLoadAnew(OLD))
  t.notOk(mayLoadAnew({ ...OLD, isOld: false }))
  t.notOk(mayLoadAnew({ ...OLD, lastMs: OLD.nowMs - 59_999 }))
  t.ok(mayLoadAnew({ ...OLD, lastMs: OLD.nowMs - 60_000 }))
})

t.test('a film that plays is never cut off', async (t) => {
  t.notOk(mayLoadAnew({ ...OLD, isPlaying: true }))
})
