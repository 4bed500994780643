import t from 'tap'
import { PREFERENCES_MAX_BYTES } from '../../../src/domain/accounts/preferences.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const WISHES = { audioLanguages: ['de', 'en'], subtitles: { size: 1.5, on: true }, note: 'größer' }

t.test('preferences are empty until they are stored, and then the same on every node and for every login', async (t) => {
  const cluster = createCluster()
  const node = await openNodeFixture(t, { cluster })
  const other = await openNodeFixture(t, { cluster, node: 'two' })
  const [ann, ben] = [await node.person(), await node.person()]
  const tablet = await node.login(ann.caller.userId)
  t.strictSame(await node.preferences.get(ann.caller.userId), {})
  t.strictSame(allowed(await node.preferences.put(ann.caller, WISHES, ORIGIN)), WISHES)
  t.strictSame(await node.preferences.get(tablet.caller.userId), WISHES)
  await other.seen()
  t.strictSame(await other.preferences.get(ann.caller.userId), WISHES)
  t.strictSame(await node.preferences.get(ben.caller.userId), {}, 'and nobody else has them')
  allowed(await node.preferences.put(tablet.caller, { theme: 'dark' }, ORIGIN))
  t.strictSame(await node.preferences.get(ann.caller.userId), { theme: 'dark' }, 'they are replaced as a whole')
})

t.test('the same preferences again store nothing', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  for (const preferences of [{}, WISHES, WISHES, {}, {}]) allowed(await node.preferences.put(caller, preferences, ORIGIN))
  const stored = (await node.events()).filter(({ type }) => type === 'UserPreferencesChanged')
  t.equal(stored.length, 2)
})

t.test('preferences have 16 kB of JSON at most, counted in bytes', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  const around = JSON.stringify({ text: '' }).length
  const filled = (letter: string, bytes: number) => ({ text: letter.repeat((bytes - around) / Buffer.byteLength(letter)) })
  for (const letter of ['x', 'ö']) {
    t.strictSame(await node.preferences.put(caller, filled(letter, PREFERENCES_MAX_BYTES), ORIGIN), filled(letter, PREFERENCES_MAX_BYTES))
    const larger = filled(letter, PREFERENCES_MAX_BYTES + 2)
    t.match(await node.preferences.put(caller, larger, ORIGIN), { refusal: 'invalid', path: '' }, letter)
  }
})

t.test('the log holds them sealed, the audit says that they changed and not how, and the export of their user has them', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  allowed(await node.preferences.put(caller, WISHES, ORIGIN))
  await node.seen()
  t.notMatch(JSON.stringify(await node.events()), /größer|audioLanguages/)
  const { items } = await node.auditLog.list({ type: 'UserPreferencesChanged' }, 'desc', { limit: 10 })
  t.match(items, [{ actor: { id: caller.userId }, target: { kind: 'user', id: caller.userId } }])
  t.strictSame(
    items.map(({ changes }) => changes),
    [[]],
  )
  const lines: unknown[] = []
  for await (const line of node.exportData(caller.userId)) lines.push(line)
  t.strictSame(lines[1], { type: 'preferences', preferences: WISHES })
})

t.test('erasure takes them out of every view, and nobody can open what the log holds', async (t) => {
  const node = await openNodeFixture(t)
  const [ann, admin] = [await node.person(), await node.person({ role: 'admin' })]
  allowed(await node.preferences.put(ann.caller, WISHES, ORIGIN))
  allowed(await node.users.erase(admin.caller, ann.caller.userId, ORIGIN))
  await node.seen()
  t.equal(await node.readModels.preferences.get(ann.caller.userId), undefined)
  t.strictSame(await node.preferences.get(ann.caller.userId), {})
  const stored = (await node.events()).find((event) => event.type === 'UserPreferencesChanged')
  if (stored?.type !== 'UserPreferencesChanged') throw new Error('The event is not in the log')
  await node.clock.advance(1000)
  t.equal(await node.sealer.open(stored.data.preferences), undefined)
})

t.test('somebody who was removed stores nothing any more', async (t) => {
  const node = await openNodeFixture(t)
  const [ann, admin] = [await node.person(), await node.person({ role: 'admin' })]
  allowed(await node.users.remove(admin.caller, ann.caller.userId, ORIGIN))
  t.match(await node.preferences.put(ann.caller, WISHES, ORIGIN), { refusal: 'not-found' })
})
