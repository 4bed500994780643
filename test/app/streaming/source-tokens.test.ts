import { createHmac, hkdfSync } from 'node:crypto'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSourceTokens } from '../../../src/app/streaming/source-tokens.ts'

const SECRET = 'a secret of at least 32 bytes, größer'
const clock = createTestClock()
const tokens = createSourceTokens({ clock, secrets: [SECRET] })

t.test('a source token is fileId:jobId:expiresAt:hmac, and its key is no other one of the server', async (t) => {
  const text = `film:job:${Math.floor(clock.now() / 1000) + 6 * 3600}`
  const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'marquee film sources', 32))
  t.equal(tokens.sign('film', 'job'), `${text}:${createHmac('sha256', key).update(text).digest('hex')}`)
})

t.test('it is read until it runs out, also with an older secret, and never when a character is another one', async (t) => {
  const token = tokens.sign('film', 'job')
  t.strictSame(tokens.read(token), { fileId: 'film', jobId: 'job' })
  t.strictSame(createSourceTokens({ clock, secrets: ['a newer one', SECRET] }).read(token), { fileId: 'film', jobId: 'job' })
  t.equal(createSourceTokens({ clock, secrets: ['a newer one'] }).read(token), undefined)
  for (let at = 0; at < token.length; at++) {
    if (tokens.read(token.slice(0, at) + (token[at] === '0' ? '1' : '0') + token.slice(at + 1))) t.fail(`accepted with another ${at}`)
  }
  for (const text of ['', ':::', `${token}\n`, ` ${token}`, token.toUpperCase(), `x:${token}`]) t.equal(tokens.read(text), undefined, text)
  await clock.advance(6 * 3_600_000)
  t.equal(tokens.read(token), undefined)
})

t.test('the token of a read names a path, whatever it is called, and no token passes for one of the other kind', async (t) => {
  for (const path of ['/films/A (2001)/A.mkv', '/films/фильм: ~.mkv', `/films/${'a'.repeat(4000)}.mkv`]) {
    const { fileId, token } = tokens.signPath(path, 'read-1')
    t.strictSame(tokens.readPath(token), { fileId, path })
    t.match(fileId, /^[\w-]{21}$/)
    t.match(token, /^[\x21-\x7e]+$/, 'a header may hold it')
    t.equal(tokens.read(token), undefined)
    const at = token.lastIndexOf(':')
    t.equal(tokens.readPath(`${token.slice(0, at - 2)}AA${token.slice(at)}`), undefined, 'another path')
  }
  t.equal(tokens.readPath(tokens.sign('path', 'job')), undefined)
  const { token } = tokens.signPath('/films/a.mkv', 'read-1')
  await clock.advance(6 * 3_600_000)
  t.equal(tokens.readPath(token), undefined)
})
