import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSqliteIdempotencyStore } from '../../../src/adapters/sqlite/idempotency-store.ts'
import { damagePages } from '../../fixtures/damaged-pages.ts'

const REQUEST = { fingerprint: 'a film', seed: 'seed', owner: 'ann' }
const WARNING = /outcomes\.sqlite was damaged: it is kept as \S+-damaged-\d{8}T\d{6}Z, .* may be carried out again/

const open = (file: string) => createSqliteIdempotencyStore({ file, clock: createTestClock() })

async function filled(t: Test): Promise<string> {
  const file = join(t.testdir(), 'outcomes.sqlite')
  const store = open(file)
  await store.begin('key', REQUEST)
  await store.settle('key', 'done')
  await store.close()
  return file
}

function warningsOf(t: Test): readonly string[] {
  const { error } = console
  const warnings: string[] = []
  console.error = (line: string) => void warnings.push(line)
  t.teardown(() => void (console.error = error))
  return warnings
}

const asideOf = (file: string) => readdirSync(join(file, '..')).filter((name) => name.includes('-damaged-'))

t.test('a file that is found damaged at the start is set aside with a warning, and a new one is begun', async (t) => {
  const warnings = warningsOf(t)
  for (const harm of [
    (file: string) => writeFileSync(file, 'no database '.repeat(1000)),
    (file: string) => damagePages(file, 'outcomes'),
  ]) {
    const file = await filled(t)
    harm(file)
    const store = open(file)
    t.match(warnings.at(-1), WARNING)
    t.match(await store.begin('key', REQUEST), { state: 'begun' })
    t.equal(asideOf(file).length, 1)
    t.equal((statSync(file).mode & 0o777).toString(8), '600')
    await store.close()
  }
})

t.test('damage that shows later costs no request its answer', async (t) => {
  const file = await filled(t)
  damagePages(file, 'outcomes_by_age')
  const warnings = warningsOf(t)
  const store = open(file)
  t.strictSame(warnings, [])
  t.strictSame(await store.begin('other', REQUEST), { state: 'begun', seed: 'seed' })
  await store.settle('other', 'done')
  t.strictSame(await store.begin('other', REQUEST), { state: 'settled', answer: 'done' })
  t.match(warnings, [WARNING])
  t.equal(asideOf(file).length, 1)
  await store.close()
})

t.test('a file of a newer version or of another program is refused and left alone', async (t) => {
  for (const mark of ['user_version = 99', 'application_id = 7']) {
    const file = await filled(t)
    const db = new DatabaseSync(file)
    db.exec(`pragma ${mark}`)
    db.close()
    const before = readFileSync(file)
    t.throws(() => open(file), { message: /newer version|not what this program keeps/ })
    t.strictSame(readFileSync(file), before)
    t.strictSame(asideOf(file), [])
  }
})
