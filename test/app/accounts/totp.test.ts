import t from 'tap'
import { codeAt, fromBase32, stepAt, stepOf, toBase32, totpUri } from '../../../src/app/accounts/totp.ts'

/** Appendix B of RFC 6238: the secret is this text; its codes have 8 digits, of which ours are the last 6. */
const SECRET = Buffer.from('12345678901234567890')
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]

t.test('the codes are those of RFC 6238', async (t) => {
  for (const [seconds, code] of VECTORS) t.equal(codeAt(SECRET, stepAt(seconds * 1000)), code.slice(2), `${seconds} s`)
})

t.test('a code counts in its step, the one before and the one after', async (t) => {
  const now = 1_234_567_890_000
  const step = stepAt(now)
  for (const skew of [-1, 0, 1]) t.equal(stepOf(SECRET, codeAt(SECRET, step + skew), now), step + skew)
  for (const skew of [-2, 2]) t.equal(stepOf(SECRET, codeAt(SECRET, step + skew), now), undefined)
  for (const wrong of ['', '1', '1234567', '89005924', 'abcdef', 'äöüäöü', '１２３４５６'])
    t.equal(stepOf(SECRET, wrong, now), undefined, wrong)
})

t.test('base32 is that of RFC 4648, without padding', async (t) => {
  for (const [text, written] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const) {
    t.equal(toBase32(Buffer.from(text)), written)
    t.equal(Buffer.from(fromBase32(written)).toString(), text)
  }
  t.equal(Buffer.from(fromBase32('mzxw 6ytb-oi')).toString(), 'foobar')
})

t.test('the address for apps names the server and the account', async (t) => {
  const uri = totpUri({ secret: 'MZXW6YTB', issuer: 'My Films', account: 'ann+tv@example.org' })
  t.equal(uri, 'otpauth://totp/My%20Films:ann%2Btv%40example.org?secret=MZXW6YTB&issuer=My%20Films&digits=6&period=30')
})
