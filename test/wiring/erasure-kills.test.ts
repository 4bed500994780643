import t from 'tap'
import { killErasures } from '../fixtures/erasure-kills.ts'

t.test('an erasure on files comes to its end, once, whichever call the process is killed before', async (t) => {
  await killErasures(t, { dataDir: t.testdir(), engines: { eventLog: 'sqlite:', readStore: 'sqlite:', vault: 'sqlite:' } })
})
