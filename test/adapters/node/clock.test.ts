import { spawnSync } from 'node:child_process'
import t from 'tap'

const clockFile = JSON.stringify(new URL('../../../src/adapters/node/clock.ts', import.meta.url).href)

/** Runs code with a system clock; returns its output, or undefined if it does not end by itself. */
function run(code: string): string | undefined {
  const program = `import { createSystemClock } from ${clockFile}; const clock = createSystemClock(); ${code}`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 10_000, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

t.test('after and every do not keep the process alive', async (t) => {
  t.equal(run(`clock.after(60_000, () => {}); clock.every(60_000, () => {}); clock.after(2 ** 40, () => {})`), '')
})

t.test('sleep keeps the process alive until it is over', async (t) => {
  t.equal(run(`await clock.sleep(50); console.log('awake')`), 'awake\n')
})
