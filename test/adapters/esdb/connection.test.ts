import t from 'tap'
import { credentialsOf, openClient } from '../../../src/adapters/esdb/connection.ts'

t.test('the name and the password are those of the address', async (t) => {
  t.strictSame(credentialsOf('esdb://admin:change%40it@example.org:2113?tls=true'), { username: 'admin', password: 'change@it' })
  t.strictSame(credentialsOf('esdb+discover://a:b@one:2113,two:2113'), { username: 'a', password: 'b' })
})

t.test('a server without users is given any, so that the driver does not fall back to batches', async (t) => {
  for (const url of ['esdb://localhost:2113?tls=false', 'esdb://localhost', 'esdb://localhost:2113?connectionName=a:b@c']) {
    const { username, password } = credentialsOf(url)
    t.ok(username && password, url)
  }
})

t.test('addresses with and without options are taken, and what is no address is refused', async (t) => {
  for (const url of ['esdb://localhost:2113?tls=false', 'esdb://localhost', ' esdb://localhost:2113/?tls=false&keepAliveTimeout=20000 ']) {
    t.doesNotThrow(() => openClient(url), url)
  }
  for (const url of ['', 'localhost:2113', 'http://localhost:2113', 'esdb://localhost:2113?tls=maybe', 'esdb://localhost:port']) {
    t.throws(() => openClient(url), url)
  }
})

t.test('an option that the driver does not know is refused, and no error has the password in its text', async (t) => {
  for (const url of ['esdb://ann:secret@host?nix=1', 'esdb://ann:secret@host:x', 'esdb://ann:secret@host?tls=maybe']) {
    t.throws(() => openClient(url), { message: /^(?!.*sec)/ }, url)
  }
  t.throws(() => openClient('esdb://host?tls=false&nix=1'), { message: 'The EventStoreDB address has an unknown option: nix' })
  t.doesNotThrow(() => openClient('esdb://host?tls=false&NodePreference=leader'))
})

t.test('tlsVerifyCert=false, or whatever else the driver would print the password for, is refused before the driver sees it', async (t) => {
  const printed: unknown[] = []
  const { warn } = console
  t.teardown(() => (console.warn = warn))
  console.warn = (...texts: readonly unknown[]) => void printed.push(...texts)
  const queries = ['tlsVerifyCert=false', 'TLSVERIFYCERT=true', 'tls=true&tlsVerifyCert=false', 'nix=1', 'nix&tls=false', 'tls=false?nix=1']
  const wrongValues = [
    'tls=maybe',
    'nodePreference=best',
    'tls_Verify_Cert=false',
    'tls=false&secret!',
    'secret@host',
    'keepAliveInterval=soon',
  ]
  for (const query of [...queries, ...wrongValues]) {
    t.throws(() => openClient(`esdb://ann:secret@host?${query}`), { message: /^(?!.*secret)/s }, query)
  }
  t.throws(() => openClient('esdb://ann:secret@host?tlsVerifyCert=false'), { message: /tlsVerifyCert.*tlsCAFile.*NODE_EXTRA_CA_CERTS/ })
  t.strictSame(printed, [])
})
