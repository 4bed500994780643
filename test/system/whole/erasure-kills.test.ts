import t from 'tap'
import { killErasures } from '../../fixtures/erasure-kills.ts'

/** Some thirty processes start one after another: half a minute, and several on a busy machine. */
const TEST_MS = 600_000
t.setTimeout(TEST_MS)

t.test('an erasure on files completes once, regardless of the call before which the process is killed', { timeout: TEST_MS }, async (t) => {
  await killErasures(t, { dataDir: t.testdir(), engines: { eventLog: 'sqlite:', readStore: 'sqlite:', vault: 'sqlite:' } })
})
