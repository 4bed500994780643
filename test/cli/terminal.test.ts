/** Long output into a pipe whose reader is slow. */
import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const TERMINAL = new URL('../../src/cli/terminal.ts', import.meta.url).href
const PROGRAM = `
const { createTerminal, outputWritten } = await import(${JSON.stringify(TERMINAL)})
createTerminal().print('x'.repeat(1_000_000))
await outputWritten()
process.exit(3)`

const start = () =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })

t.test('a process that waits for its output loses none of it', async (t) => {
  const child = start()
  const ended = once(child, 'exit')
  await sleep(300)
  let bytes = 0
  for await (const chunk of child.stdout) bytes += (chunk as Buffer).length
  t.equal(bytes, 1_000_001)
  t.strictSame(await ended, [3, null])
})
