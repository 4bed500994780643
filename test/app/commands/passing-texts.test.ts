/** Texts that a client carries from one request to the next. */
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createPassingTexts } from '../../../src/app/commands/passing-texts.ts'
import { signText } from '../../../src/app/commands/signed-text.ts'

const [OLD, NEW] = ['an old secret of this server, long enough', 'a new secret of this server, long enough']
const VALUE = { name: 'Größe: 5', list: [1, null], isSo: true }

t.test('a text is read for its purpose until its end, also after the secret has changed', async (t) => {
  const clock = createTestClock()
  const before = createPassingTexts({ clock, secrets: [OLD] })
  const after = createPassingTexts({ clock, secrets: [NEW, OLD] })
  const signed = before.sign('passkey', VALUE, 1_000)
  for (const texts of [before, after]) t.strictSame(texts.read('passkey', signed), VALUE)
  t.equal(after.read('oidc-ticket', signed), undefined, 'another purpose')
  t.equal(createPassingTexts({ clock, secrets: [NEW] }).read('passkey', signed), undefined, 'another server')
  clock.setNow(clock.now() + 999)
  t.strictSame(after.read('passkey', signed), VALUE)
  clock.setNow(clock.now() + 1)
  t.equal(after.read('passkey', signed), undefined, 'too late')
})

t.test('what this server has not signed in this form is nothing', async (t) => {
  const clock = createTestClock()
  const { read, sign } = createPassingTexts({ clock, secrets: [NEW] })
  const signed = sign('passkey', VALUE, 1_000)
  for (const text of ['', 'passkey', `${signed}x`, `x${signed}`, signed.replace('passkey', 'oidc-ticket'), signText(NEW, 'passkey:%:99')])
    t.equal(read('passkey', text), undefined, text)
})
