/** The signing secret that the first start stores, and those that a crash has left. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { signingSecrets } from '../../src/wiring/signing-secrets.ts'

const UNSET = { secret: undefined, previousSecret: undefined }

function secretsOf(folder: string) {
  const said: unknown[] = []
  const secrets = signingSecrets(UNSET, { secret: join(folder, 'secret') }, (line) => void said.push(line))
  return { secrets, said }
}

t.test('the first start stores a secret for its owner only, without a word, and later ones use it', async (t) => {
  const folder = t.testdir()
  const { secrets, said } = secretsOf(folder)
  t.match(secrets, [/^[0-9a-f]{64}$/])
  t.strictSame(said, [])
  t.strictSame(readdirSync(folder), ['secret'])
  t.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600)
  t.strictSame(secretsOf(folder), { secrets, said: [] })
})

t.test('a file that a crash left empty or full of zeros is replaced and reported: anyone could sign with it', async (t) => {
  for (const content of ['', '\n', '\0'.repeat(64)]) {
    const folder = t.testdir()
    const file = join(folder, 'secret')
    writeFileSync(file, content)
    const { secrets, said } = secretsOf(folder)
    t.match(secrets, [/^[0-9a-f]{64}$/])
    t.equal(readFileSync(file, 'utf8'), secrets[0])
    t.match(said, [/secret was empty: a new signing secret is stored there/])
  }
})

t.test('a stored secret that is too short is refused in one line that says what to do', async (t) => {
  const folder = t.testdir({ secret: 'x'.repeat(31) })
  t.throws(() => secretsOf(folder), {
    code: 'start-refused',
    message: /^[^\n]*secret holds a signing secret of fewer than 32 characters[^\n]*Delete this file[^\n]*MARQUEE_SECRET\.$/,
  })
  t.equal(readFileSync(join(folder, 'secret'), 'utf8').length, 31, 'it is left for a person to judge')
})

t.test('a disk that takes no secret stops the start, and leaves no half of one', async (t) => {
  const folder = t.testdir({ 'secret.part': {} })
  t.throws(() => secretsOf(folder), { code: 'EISDIR' })
  t.notOk(existsSync(join(folder, 'secret')))
})

t.test('configured secrets come first, and then no file is made', async (t) => {
  const folder = t.testdir()
  const configured = { secret: 'a'.repeat(32), previousSecret: 'b'.repeat(32) }
  t.strictSame(
    signingSecrets(configured, { secret: join(folder, 'secret') }, () => {}),
    ['a'.repeat(32), 'b'.repeat(32)],
  )
  t.strictSame(readdirSync(folder), [])
})
