/** Long output into a pipe whose reader is slow. */
import t from 'tap'
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
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

const FULL = '/dev/full'

t.test('output that does not fit on a disk is complained about; a reader that has gone is not', async (t) => {
  const TOLD = PROGRAM.replace(
    'await outputWritten()',
    "process.stdout.on('error', () => {})\nprocess.stderr.write(String(await outputWritten()))",
  )
  const told = async (stdout: number | 'pipe'): Promise<string> => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', TOLD], {
      stdio: ['ignore', stdout, 'pipe'],
    })
    child.stdout?.destroy()
    let said = ''
    for await (const chunk of child.stderr ?? []) said += String(chunk)
    return said
  }
  t.equal(await told('pipe'), 'undefined')
  // Only Linux has such a file.
  const full = existsSync(FULL) ? openSync(FULL, 'w') : undefined
  if (full === undefined) return
  t.teardown(() => closeSync(full))
  t.equal(await told(full), 'The output is not complete: the disk is full.')
})
