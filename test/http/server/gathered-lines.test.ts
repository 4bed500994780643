import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { execa } from 'execa'
import { gatherLines } from '../../../src/http/server/gathered-lines.ts'

t.test('lines of one turn are written at once, in their order', async (t) => {
  const written: string[] = []
  const write = gatherLines((lines) => written.push(lines))
  for (const line of ['one\n', 'two\n']) write(line)
  t.strictSame(written, [])
  await turn()
  t.strictSame(written, ['one\ntwo\n'])
  write('three\n')
  await turn()
  await turn()
  t.strictSame(written, ['one\ntwo\n', 'three\n'])
})

t.test('a process that exits writes its last lines', async (t) => {
  const module = JSON.stringify(new URL('../../../src/http/server/gathered-lines.ts', import.meta.url).href)
  const program = `import { gatherLines } from ${module}
const write = gatherLines((lines) => process.stdout.write(lines))
write('one\\n')
write('two\\n')
process.exit(1)`
  const { stdout, exitCode } = await execa(process.execPath, ['--input-type=module', '--eval', program], { reject: false })
  t.strictSame([stdout, exitCode], ['one\ntwo', 1])
})
