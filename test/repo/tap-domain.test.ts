import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const ALONE = join(import.meta.dirname, 'alone.ts')

/** Errors that no promise of the test leads to. */
const LOST = `
import t from 'tap'
import { setTimeout as sleep } from 'node:timers/promises'

t.test('throws in a timer', async (t) => {
  setTimeout(() => { throw new Error('thrown late') }, 5)
  await sleep(1000)
})
t.test('forgets a rejection', async (t) => {
  await t.test('in a subtest', async (t) => {
    void Promise.reject(new Error('rejected'))
    await sleep(1000)
  })
})
t.test('is fine', async (t) => t.pass('fine'))
`

t.test('an uncaught error fails the test that it happens in, and the tests after that one run', async (t) => {
  const file = join(t.testdir({ 'lost.test.ts': LOST }), 'lost.test.ts')
  const { stdout, status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ALONE, file], { encoding: 'utf8' })
  t.equal(status, 1)
  t.match(stdout, /# Subtest: throws in a timer\n {4}not ok 1 - thrown late\n/)
  t.match(stdout, /# Subtest: in a subtest\n {8}not ok 1 - rejected\n/)
  t.match(stdout, /\n {4}ok 1 - fine\n/)
  t.match(stdout, /\nok 3 - is fine/)
})
