import { createHmac } from 'node:crypto'
import t from 'tap'
import { readStreamToken, signStreamToken, STREAM_TOKEN_LIFE_SECONDS } from '../../../src/app/playback/stream-token.ts'
import { named } from '../../fixtures/names.ts'

const KEY = 'a secret of at least 32 bytes, größer'
const claims = { userId: named<'user'>('ann'), sessionId: named<'session'>('evening'), expiresAtSeconds: 1_767_363_845 }
const token = signStreamToken(KEY, claims)

t.test('a stream token is userId:sessionId:expiresAt:hmac, signed with the bytes of the secret, and lives four hours', async (t) => {
  const text = `${claims.userId}:${claims.sessionId}:1767363845`
  t.equal(token, `${text}:${createHmac('sha256', Buffer.from(KEY, 'utf8')).update(text).digest('hex')}`)
  t.equal(STREAM_TOKEN_LIFE_SECONDS, 14_400)
})

t.test('its claims are read with the key that signed it, also where that is an older one', async (t) => {
  t.strictSame(readStreamToken([KEY], token), claims)
  t.strictSame(readStreamToken(['the newer one', KEY], token), claims)
  t.equal(readStreamToken(['the newer one'], token), undefined)
  t.equal(readStreamToken([], token), undefined)
})

t.test('a change of any character forges it', async (t) => {
  for (let at = 0; at < token.length; at++) {
    const forged = token.slice(0, at) + (token[at] === '0' ? '1' : '0') + token.slice(at + 1)
    if (readStreamToken([KEY], forged)) t.fail(`accepted with another character at ${at}`)
  }
  t.pass('none was accepted')
})

t.test('only exactly four parts in their one spelling are a token', async (t) => {
  const [userId = '', sessionId = '', , hmac = ''] = token.split(':')
  const signed = (...parts: readonly string[]): string =>
    `${parts.join(':')}:${createHmac('sha256', KEY).update(parts.join(':')).digest('hex')}`
  t.ok(readStreamToken([KEY], signed(userId, sessionId, '0')))
  const wrong = [
    ['', 'nothing'],
    [':::', 'empty parts'],
    [signed(userId, sessionId), 'three parts'],
    [signed(userId, sessionId, '1', '2'), 'five parts'],
    [signed(userId, '', '1767363845'), 'an empty part'],
    [signed(userId, sessionId, '01767363845'), 'a leading zero'],
    [signed(userId, sessionId, '+1767363845'), 'a sign'],
    [signed(userId, sessionId, '-1'), 'a sign'],
    [signed(userId, sessionId, '1e9'), 'an exponent'],
    [signed(userId, sessionId, '1767363845.0'), 'a fraction'],
    [signed(userId, sessionId, ' 1767363845'), 'a space'],
    [signed(userId, sessionId, '9'.repeat(20)), 'beyond any time'],
    [`${token} `, 'a space'],
    [`${token}\n`, 'a line end'],
    [token.toUpperCase(), 'capitals'],
    [token.replace(hmac, hmac.toUpperCase()), 'capitals in the hmac'],
    [token.slice(0, -1), 'a short hmac'],
    [`${token}0`, 'a long hmac'],
  ] as const
  for (const [text, why] of wrong) t.equal(readStreamToken([KEY], text), undefined, why)
})
