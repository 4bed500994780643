import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LONG_FILES, processesOf } from './test-processes.ts'
import { filesOf, PARTS } from './test-parts.ts'

const ROOT = join(import.meta.dirname, '../..')

t.test('every file of a part runs, once', async (t) => {
  for (const part of PARTS) {
    const files = filesOf(part, ROOT)
    t.ok(files.length > 0, part.script)
    t.strictSame(
      processesOf(files)
        .flatMap((one) => one.files)
        .toSorted(),
      files,
      part.script,
    )
  }
})

t.test('long files begin first, the longest before the others', async (t) => {
  t.strictSame(
    LONG_FILES.filter((file) => !existsSync(join(ROOT, file))),
    [],
    'each is there',
  )
  const [first = '', second = ''] = LONG_FILES
  t.strictSame(
    processesOf(['test/domain/a.test.ts', second, 'test/system/z.test.ts', first]).map(({ name }) => name),
    [first, second, 'test/domain/a.test.ts', 'test/system/z.test.ts'],
  )
})
