/** Second factors over HTTP: the whole application on in-memory engines; only the streaming engine is a fake. */
import t from 'tap'
import { allowed, eventsIn } from '../../fixtures/node-fixture.ts'
import { AUTHOR, EMAIL, openSecondFactor, openSecondFactorNode, PASSWORD, STEP_MS } from '../../fixtures/second-factor-fixture.ts'

t.test('it is on once a code of the app is shown; then signing in takes the password and a code', async (t) => {
  const { own, send, code, signIn, verify, token, node, wait } = await openSecondFactor(t)
  t.match(await own('enable', { password: 'wrong' }), { status: 422, json: { details: [{ path: 'password' }] } })
  const prepared = await own('enable', { password: PASSWORD })
  t.match(prepared, {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    json: { totpURI: /^otpauth:\/\/totp\/Marquee:ann%40example\.org\?secret=/, qrCode: { size: Number, path: /^M\d+ \d+h1v1h-1z/ } },
  })
  t.equal((prepared.json['backupCodes'] as readonly string[]).length, 10)
  t.match(await signIn(), { status: 200, json: { token: String } }, 'it is not asked for yet')
  for (const wrong of ['000000', 'äöüäöü', '１２３４５６', '     6'])
    t.match(await own('activate', { code: wrong }), { status: 422, json: { details: [{ path: 'code' }] } }, wrong)
  t.equal((await own('activate', { code: code(prepared.json['secret']) })).status, 200)
  t.match(await send('GET', '/api/auth/two-factor', undefined, token), { json: { enabled: true, backupCodesLeft: 10 } })
  wait(2 * STEP_MS)
  const first = await signIn()
  t.match(first, { status: 200, json: { twoFactorRedirect: true, challenge: String } })
  t.notOk(first.json['token'])
  t.notOk(first.headers['set-cookie'])
  const second = await verify(first.json['challenge'], code(prepared.json['secret']))
  t.match(second, {
    status: 200,
    json: { token: String, user: { email: EMAIL } },
    headers: { 'set-cookie': /session_token=/, 'cache-control': 'no-store' },
  })
  t.equal(node.signIns.authenticate(String(second.json['token']))?.userId, (await send('GET', '/v1/users/me', undefined, token)).json['id'])
})

t.test('a code works once, on whichever node it is tried again', async (t) => {
  const { cluster, signIn, verify, turnOn, code } = await openSecondFactor(t)
  const { secret } = await turnOn()
  const other = await openSecondFactorNode(t, cluster, 'two')
  await other.node.seen()
  const { challenge } = (await signIn()).json
  const used = code(secret)
  t.equal((await verify(challenge, used)).status, 200)
  t.match(await other.verify(challenge, used), { status: 422, json: { details: [{ path: 'code' }] } })
  t.equal((await other.verify(challenge, code(secret, 1))).status, 200, 'the next one works there')
})

t.test('a recovery code works once, also when two try it at the same time', async (t) => {
  const { signIn, verify, turnOn, send, token } = await openSecondFactor(t)
  const { backupCodes } = await turnOn()
  const [first = '', second = ''] = backupCodes
  t.match(first, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
  const { challenge } = (await signIn()).json
  const both = await Promise.all([verify(challenge, first), verify(challenge, first)])
  t.strictSame(new Set(both.map(({ status }) => status)), new Set([200, 422]))
  t.equal((await verify(challenge, first)).status, 422)
  t.equal((await verify(challenge, second.toLowerCase().replaceAll('-', ' '))).status, 200, 'however it is written')
  t.match(await send('GET', '/api/auth/two-factor', undefined, token), { json: { backupCodesLeft: 8 } })
})

t.test('after five wrong codes none is taken for a while, however many come at once', async (t) => {
  const { cluster, signIn, verify, turnOn, code } = await openSecondFactor(t)
  const { secret, backupCodes } = await turnOn()
  const { challenge } = (await signIn()).json
  const wrong = code(secret, 50)
  const answers = await Promise.all(Array.from({ length: 40 }, () => verify(challenge, wrong)))
  t.equal(answers.filter(({ status }) => status === 422).length, 5)
  t.equal(answers.filter(({ status }) => status === 429).length, 35)
  t.match(await verify(challenge, code(secret)), { status: 429, headers: { 'retry-after': /\d+/ } })
  t.equal((await verify(challenge, backupCodes[0] ?? '')).status, 429)
  await cluster.clock.advance(16 * 60_000)
  t.equal((await verify((await signIn()).json['challenge'], code(secret))).status, 200)
})

t.test('a challenge is worth nothing when it is old, forged, or from before a new password', async (t) => {
  const { signIn, verify, turnOn, code, wait, node, userId, send } = await openSecondFactor(t)
  const { secret } = await turnOn()
  const { challenge } = (await signIn()).json
  const late = { status: 401, json: { error: /begin again/ } }
  const text = String(challenge)
  const forged = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
  t.match(await verify(forged, code(secret)), late, 'forged')
  t.match(await verify('x', code(secret)), late)
  t.match(await send('GET', '/v1/users/me', undefined, String(challenge)), { status: 401 }, 'it is no token')
  t.match(await send('GET', `/api/stream/x/master.m3u8?token=${encodeURIComponent(String(challenge))}`), { status: 401 })
  wait(5 * 60_000)
  t.match(await verify(challenge, code(secret)), late, 'old')
  const again = (await signIn()).json['challenge']
  allowed(await node.accountChanges.setPassword(userId, { password: 'another horse', ending: 'none' }, AUTHOR))
  await node.seen()
  t.match(await verify(again, code(secret)), late, 'the password has changed')
  const third = (await signIn('another horse')).json['challenge']
  allowed(await node.accountChanges.change(userId, { enabled: false }, AUTHOR))
  await node.seen()
  t.match(await verify(third, code(secret)), late, 'the account is disabled')
})

t.test('a wrong password says nothing about the second factor', async (t) => {
  const { signIn, turnOn, send } = await openSecondFactor(t)
  await turnOn()
  const unknown = await send('POST', '/api/auth/sign-in/email', { email: 'nobody@example.org', password: PASSWORD })
  const wrong = await signIn('wrong')
  t.equal(wrong.status, 401)
  t.strictSame(wrong.json, unknown.json)
})

t.test('turning it off takes the password and a code; new recovery codes void the old ones', async (t) => {
  const { own, turnOn, signIn, verify, code, wait, cluster, userId } = await openSecondFactor(t)
  t.equal((await own('generate-backup-codes', { password: PASSWORD, code: '000000' })).status, 409)
  const { secret, backupCodes } = await turnOn()
  t.equal((await own('enable', { password: PASSWORD })).status, 409, 'it is on already')
  t.equal((await own('generate-backup-codes', { password: PASSWORD, code: '000000' })).status, 422)
  const replaced = await own('generate-backup-codes', { password: PASSWORD, code: backupCodes[1] ?? '' })
  const fresh = replaced.json['backupCodes'] as readonly string[]
  const { challenge } = (await signIn()).json
  t.equal((await verify(challenge, backupCodes[0] ?? '')).status, 422)
  t.equal((await verify(challenge, fresh[0] ?? '')).status, 200)
  t.equal((await own('disable', { password: 'wrong', code: code(secret) })).status, 422)
  t.equal((await own('disable', { password: PASSWORD, code: '000000' })).status, 422)
  t.equal((await own('disable', { password: PASSWORD, code: code(secret) })).status, 200)
  wait(2 * STEP_MS)
  t.match(await signIn(), { status: 200, json: { token: String } })
  const events = await eventsIn(cluster.log)
  t.strictSame(
    events.flatMap((event) => (event.type === 'SignInRefused' && event.metadata.actor === `user:${userId}` ? [event.data.reason] : [])),
    ['second-factor', 'current-password', 'second-factor'],
    'whoever has stolen a login leaves a trace',
  )
})

t.test('of two preparations only the last one can be turned on', async (t) => {
  const { own, code } = await openSecondFactor(t)
  const first = (await own('enable', { password: PASSWORD })).json['secret']
  const second = (await own('enable', { password: PASSWORD })).json['secret']
  t.equal((await own('activate', { code: code(first) })).status, 422)
  t.equal((await own('activate', { code: code(second) })).status, 200)
  t.equal((await own('activate', { code: code(second, 1) })).status, 409)
})

t.test('an administrator helps somebody who has lost the device', async (t) => {
  const { node, turnOn, userId, send, signIn } = await openSecondFactor(t)
  await turnOn()
  const admin = await node.person({ role: 'admin' })
  t.match(await signIn(), { json: { twoFactorRedirect: true } })
  t.equal((await send('DELETE', `/v1/users/${userId}/second-factor`, undefined, admin.token)).status, 204)
  t.match(await signIn(), { json: { token: String } })
})

t.test('what is stored has no secret in clear, and the audit says what happened', async (t) => {
  const { node, cluster, turnOn, userId, signIn, verify, send } = await openSecondFactor(t)
  const { secret, backupCodes } = await turnOn()
  const { challenge } = (await signIn()).json
  await verify(challenge, '000000')
  await verify(challenge, backupCodes[0] ?? '')
  const stored = JSON.stringify([await eventsIn(cluster.log), [...node.access.users.values()]])
  for (const text of [String(secret), ...backupCodes, ...backupCodes.map((code) => code.replaceAll('-', ''))]) t.notMatch(stored, text)
  const admin = await node.person({ role: 'admin' })
  const audit = await send('GET', '/v1/audit?limit=100', undefined, admin.token)
  const types = new Set((audit.json['items'] as { type: string }[]).map(({ type }) => type))
  for (const type of ['SecondFactorPrepared', 'SecondFactorEnabled', 'RecoveryCodeUsed', 'SignInRefused']) t.ok(types.has(type), type)
  t.notMatch(JSON.stringify(audit.json), /[0-9a-f]{64}.{0,40}recovery|recoveryCodes":\["/)
  allowed(await node.accountChanges.erase(userId, AUTHOR))
  await node.seen()
  t.equal(await cluster.vault.key(userId), undefined, 'with the key goes the secret')
  t.match(await verify(challenge, backupCodes[1] ?? ''), { status: 401 })
})

t.test('whether there is a second factor is read from the log, not from a view that may be behind', async (t) => {
  const { node, signIn, send, token, userId, own, code } = await openSecondFactor(t)
  const { json } = await own('enable', { password: PASSWORD })
  t.equal((await own('activate', { code: code(json['secret']) })).status, 200)
  t.notOk('secondFactor' in (node.access.users.get(userId) ?? {}), 'no view decides it')
  t.match(await signIn(), { json: { twoFactorRedirect: true } })
  t.match(await send('POST', '/api/auth/two-factor/disable', { password: PASSWORD, code: '000000' }, token), { status: 422 })
})
