import { randomBytes } from 'node:crypto'
import t from 'tap'
import { seal, subjectOf, unseal, type Sealed } from '../../src/events/sealed.ts'
import { named } from '../fixtures/names.ts'

const subject = named<'user'>('ann')
const key = randomBytes(32)

t.test('a sealed text opens with its key and names its subject, and reveals nothing of the text', async (t) => {
  const sealed = seal(subject, key, 'ann@example.org, Größe, 名')
  t.equal(unseal(sealed, key), 'ann@example.org, Größe, 名')
  t.equal(subjectOf(sealed), subject)
  t.notMatch(sealed, /example/)
})

t.test('an empty text can be sealed', async (t) => {
  t.equal(unseal(seal(subject, key, ''), key), '')
})

t.test('the same text sealed twice looks different', async (t) => {
  t.not(seal(subject, key, 'Ann'), seal(subject, key, 'Ann'))
})

t.test('another key does not open it', async (t) => {
  t.equal(unseal(seal(subject, key, 'Ann'), randomBytes(32)), undefined)
})

t.test('what was changed does not open: no byte of iv, text and tag', async (t) => {
  const [prefix, , body = ''] = seal(subject, key, 'Ann').split(':')
  const bytes = Buffer.from(body, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    t.equal(unseal(`${prefix}:${subject}:${changed.toString('base64url')}` as Sealed, key), undefined, `byte ${at}`)
  }
})

t.test('what was never sealed opens to nothing and throws nothing', async (t) => {
  for (const text of ['', 'Ann', 'sealed', 'sealed:', `sealed:${subject}:`, `sealed:${subject}:AAAA`, 'sealed:x:!!!!']) {
    t.equal(unseal(text as Sealed, key), undefined, text)
  }
})
