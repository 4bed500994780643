import { inspect } from 'node:util'
import t from 'tap'
import { parseNatsUrl } from '../../../src/adapters/nats/address.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { freePort } from '../../fakes/server.ts'
import { NATS_PASSWORD, overNats, overOwnNats } from '../../fakes/nats.ts'
import { startProgram, timed } from '../../fixtures/program.ts'
import { until } from '../../fixtures/until.ts'

t.test('a URL names hosts, who we are, TLS and the prefix of the installation', async (t) => {
  t.strictSame(parseNatsUrl('nats://host'), {
    hosts: [{ host: 'host', port: 4222 }],
    credentials: undefined,
    tls: false,
    prefix: undefined,
  })
  t.strictSame(parseNatsUrl('tls://me:p%40ss%2F@one:1,two,[::1]:3/home'), {
    hosts: [
      { host: 'one', port: 1 },
      { host: 'two', port: 4222 },
      { host: '::1', port: 3 },
    ],
    credentials: { user: 'me', pass: 'p@ss/' },
    tls: true,
    prefix: 'home',
  })
  t.strictSame(parseNatsUrl('nats://one,nats://token@two').credentials, { token: 'token' })
})

t.test('what is no URL of NATS is refused without repeating it', async (t) => {
  for (const url of ['', 'host:4222', 'http://me:geheim@host', 'nats://me:geheim@', 'nats://me:geheim@host/a.b', 'nats://me:%zz@host']) {
    t.throws(() => parseNatsUrl(url), { name: 'TypeError', message: /^(?!.*(geheim|zz)).*nats:\/\/user:password@host/ })
  }
})

await overNats(t, (t, nats) => {
  t.test('a wrong password: EngineAway, reported once, and the password appears nowhere', async (t) => {
    const url = new URL(nats.url())
    url.password = 'geheim'
    const { connection, problems } = startProgram(t, url.href)
    const { error, ms } = await timed(connection.engine.check())
    t.ok(error instanceof ServerUnavailable && ms < 2000)
    await until(() => problems.length > 0)
    await t.rejects(connection.engine.check(), ServerUnavailable)
    t.match(inspect(error, { depth: 10 }), /authorization/i)
    t.notMatch(inspect([error, problems], { depth: 10, showHidden: true }), /geheim/)
    t.equal(problems.length, 1)
  })
})

await overOwnNats(t, (t, nats) => {
  t.test('tls:// never speaks to a server without TLS', async (t) => {
    const { connection, problems } = startProgram(t, nats.url().replace('nats://', 'tls://'))
    t.ok((await timed(connection.engine.check())).error instanceof ServerUnavailable)
    t.match(problems, [{ cause: { message: 'tls' } }])
  })

  t.test('NATS need not be there at the start, and of several servers any will do', async (t) => {
    const url = new URL(nats.url())
    const { connection, problems } = startProgram(t, nats.url().replace('@', `@127.0.0.1:${await freePort()},`))
    await nats.server.kill()
    const alone = startProgram(t, url.href)
    t.equal(alone.connection.prefix, url.pathname.slice(1))
    await until(() => alone.problems.length > 0 && connection.current() === undefined)
    t.ok((await timed(alone.connection.engine.check())).error instanceof ServerUnavailable)
    await nats.server.restart()
    await until(() => alone.connection.current() !== undefined && connection.current() !== undefined)
    await Promise.all([alone.connection.engine.check(), connection.engine.check()])
    t.notMatch(inspect(problems, { depth: 10 }), new RegExp(NATS_PASSWORD))
  })

  t.test('closing is quick while NATS is stopped, and ends the attempts', async (t) => {
    const [held, late] = [startProgram(t, nats.url()), startProgram(t, nats.url())]
    await held.connection.engine.check()
    await nats.server.suspend()
    const closing = await timed(Promise.all([held.connection.close(), late.connection.close()]))
    nats.server.signal('SIGCONT')
    t.ok(closing.error === undefined && closing.ms < 3000, `${closing.ms} ms`)
    t.equal(held.connection.current(), undefined)
    await t.rejects(held.connection.engine.check(), ServerUnavailable)
  })
})
