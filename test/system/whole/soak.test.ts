/** A short soak: a household uses the whole server, and at rest it holds no more handles, processes or sessions than before. */
import t from 'tap'
import { soak } from '../../soak/soak.ts'
import { grown } from '../../soak/verdict.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** Minutes: one to begin with, and one to compare with it. */
const PERIODS = [0.1, 0.5]

t.test('a household leaves no handle, process or session behind', { timeout: 600_000 }, async (t) => {
  const { samples, tally, exitCode } = await soak({ folder: testFolder(t), periods: PERIODS, films: 'clips' })
  t.strictSame(grown(samples, 'leaks'), [])
  t.strictSame(
    [...tally.keys()].filter((what) => / 5\d\d$/.test(what)),
    [],
    'no request failed inside the server',
  )
  t.equal(exitCode, 0)
})
