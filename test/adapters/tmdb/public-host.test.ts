import t from 'tap'
import { isPublicAddress } from '../../../src/adapters/shared/public-address.ts'
import { mayConnect } from '../../../src/adapters/tmdb/public-host.ts'
import { never, openTmdb } from './open-tmdb.ts'

t.test('addresses of this machine, of its network and of no network are not public', async (t) => {
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '192.88.99.1',
    '3fff::1',
    '5f00::1',
    '::ffff:0:10.0.0.1',
    '::ffff:0:1.1.1.1',
    '',
    'localhost',
  ]) {
    t.equal(isPublicAddress(address), false, address)
  }
  for (const address of ['1.1.1.1', '13.224.0.1', '172.32.0.1', '192.0.1.1', '2600:9000::1', '::ffff:13.224.0.1']) {
    t.equal(isPublicAddress(address), true, address)
  }
})

t.test('a public host is not asked where its name leads to this machine or its network', async (t) => {
  for (const addresses of [['127.0.0.1'], ['13.224.0.1', '10.0.0.1'], ['::1'], []]) {
    t.equal(await mayConnect('api.themoviedb.org', async () => addresses), false)
    t.equal(await mayConnect('image.tmdb.org', async () => addresses), false)
  }
  t.equal(await mayConnect('api.themoviedb.org', async () => ['13.224.0.1', '2600:9000::1']), true)
})

t.test('a host that a person has configured may be anywhere', async (t) => {
  const unasked = async (host: string) => [`${t.fail(`${host} is looked up`)}`]
  t.equal(await mayConnect('127.0.0.1', unasked), true)
})

t.test('without another address the public API is meant, and it is held to be public', async (t) => {
  const asked: string[] = []
  const lookup = async (host: string) => {
    asked.push(host)
    return ['192.168.1.1']
  }
  const { reopen } = await openTmdb(t)
  const online = await reopen({ url: undefined, lookup })
  const message = /^[a-z.]+ has an address that is not public$/
  await t.rejects(online.movie({ tmdb: '1' }, 'en', never()), { code: 'online-away', message })
  await t.rejects(online.image('/a.jpg', never()), { code: 'online-away', message })
  t.strictSame(asked, ['api.themoviedb.org', 'image.tmdb.org'])
})

t.test('a name that cannot be looked up is a fault that may pass', async (t) => {
  const { reopen, clock } = await openTmdb(t)
  let tries = 0
  const lookup = async (): Promise<never> => {
    tries++
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  const online = await reopen({ url: undefined, lookup })
  await t.rejects(clock.settled(online.movie({ tmdb: '1' }, 'en', never())), {
    message: 'api.themoviedb.org cannot be reached (ENOTFOUND)',
  })
  t.equal(tries, 3)
})
