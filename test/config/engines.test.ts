import t from 'tap'
import { isConfig, readConfig } from '../../src/config/config.ts'
import type { Config, Environment } from '../../src/config/config.ts'
import { SERVERS } from '../../src/config/engine-addresses.ts'

const SECRET = { MARQUEE_SECRET: 's'.repeat(32) }
const EVENT_STORE = { MARQUEE_EVENT_LOG: 'esdb://log:2113?tls=false' }
const READ_STORE = { MARQUEE_READ_STORE: 'mongodb://docs:27017/marquee' }
const VAULT = { MARQUEE_VAULT: 'mongodb://docs:27017/marquee_vault' }
const BUS = { MARQUEE_BUS: 'nats://bus:4222' }

function right(env: Environment): Config {
  const config = readConfig({ env, folder: '/' })
  if (!isConfig(config)) throw new Error(config.map(({ message }) => message).join('\n'))
  return config
}

function wrong(env: Environment): readonly string[] {
  const config = readConfig({ env, folder: '/' })
  return isConfig(config) ? [] : config.map(({ message }) => message)
}

t.test('every engine takes the connection strings of its server', async (t) => {
  const cases: readonly (readonly [name: string, key: keyof Config, ...texts: string[]])[] = [
    [
      'MARQUEE_EVENT_LOG',
      'eventLog',
      'esdb://host',
      'esdb://host:2113?tls=false',
      'esdb://ann:hunter22@host:2113',
      'esdb://a:2111,b:2112,c_3:2113?tls=false&nodePreference=leader',
      'esdb+discover://cluster.example.org:2113',
    ],
    [
      'MARQUEE_READ_STORE',
      'readStore',
      'mongodb://host/marquee',
      'mongodb://[::1]:27017/marquee',
      'mongodb://ann:p%40ss@a:27017,b:27017/marquee?replicaSet=rs0&authSource=admin',
      'mongodb+srv://ann:hunter22@cluster.example.org/marquee?retryWrites=true',
    ],
    ['MARQUEE_VAULT', 'vault', 'mongodb://host/marquee_vault', 'mongodb://host:27017/marquee-vault'],
    ['MARQUEE_BUS', 'bus', 'nats://host', 'nats://ann:hunter22@host:4222', 'tls://token@host:4222', 'nats://a:4222/films,nats://b:4222'],
  ]
  for (const [name, key, ...texts] of cases) for (const text of texts) t.equal(right({ ...SECRET, [name]: text })[key], text)
})

t.test('addresses are written as their drivers take them', async (t) => {
  t.equal(right({ ...SECRET, MARQUEE_EVENT_LOG: 'esdb://host:2113/?tls=false' }).eventLog, 'esdb://host:2113?tls=false')
  t.equal(right({ ...SECRET, MARQUEE_BUS: 'nats://a:4222, nats://b:4222' }).bus, 'nats://a:4222,nats://b:4222')
  t.equal(right({ ...SECRET, MARQUEE_BUS: 'tls://ann:hunter22@a:4222,b' }).bus, 'tls://ann:hunter22@a:4222,tls://b')
})

t.test('a malformed address is answered by one line that shows its scheme and what would be right', async (t) => {
  const like = {
    MARQUEE_EVENT_LOG: 'sqlite: or an address such as esdb://host:2113?tls=false',
    MARQUEE_READ_STORE: 'sqlite: or an address such as mongodb://host:27017/marquee',
    MARQUEE_VAULT: 'sqlite: or an address such as mongodb://host:27017/marquee_vault',
    MARQUEE_BUS: 'local: or an address such as nats://host:4222',
  }
  const cases: readonly (readonly [name: keyof typeof like, text: string, shown: string])[] = [
    ['MARQUEE_EVENT_LOG', 'floppy:', '=floppy:'],
    ['MARQUEE_EVENT_LOG', 'mongodb://host/marquee', '=mongodb://...'],
    ['MARQUEE_EVENT_LOG', 'esdb://', '=esdb://...'],
    ['MARQUEE_EVENT_LOG', 'esdb://host:99999', '=esdb://...'],
    ['MARQUEE_EVENT_LOG', 'esdb://host/path', '=esdb://...'],
    ['MARQUEE_READ_STORE', 'local:', '=local:'],
    ['MARQUEE_READ_STORE', 'mongodb://host:27017', '=mongodb://...'],
    ['MARQUEE_READ_STORE', 'mongodb+srv://host:27017/marquee', '=mongodb+srv://...'],
    ['MARQUEE_VAULT', 'mongodb://host:27017/?tls=true', '=mongodb://...'],
    ['MARQUEE_BUS', 'pigeon:', '=pigeon:'],
    ['MARQUEE_BUS', 'nats://a,tls://b', '=nats://...'],
    ['MARQUEE_BUS', 'nats://a,', '=nats://...'],
    ['MARQUEE_BUS', 'nats://host:port', '=nats://...'],
    ['MARQUEE_BUS', 'host:4222', ''],
  ]
  for (const [name, text, shown] of cases) {
    t.strictSame(wrong({ ...SECRET, [name]: text }), [`${name}${shown} is invalid: give ${like[name]}.`])
  }
})

t.test('esdb+discover with several hosts, of which the driver would use one, is answered by one line that shows neither', async (t) => {
  for (const text of ['esdb+discover://a:2113,b:2113,c:2113?tls=false', 'esdb+discover://ann:hunter22@a,b']) {
    t.strictSame(wrong({ ...SECRET, MARQUEE_EVENT_LOG: text }), [
      'MARQUEE_EVENT_LOG=esdb+discover://... is invalid: give esdb://a:2113,b:2113,c:2113 for several hosts: ' +
        "with esdb+discover EventStoreDB's client would use the first one alone.",
    ])
  }
})

t.test('the line about a malformed address never shows its password, wherever the mistake is', async (t) => {
  const addresses = [
    'esdb://ann:hunter/22@host:2113',
    'esdb://ann:hunter@22@host:2113',
    'esdb:ann:hunter22@host',
    'ann:hunter22@host:2113',
    'hunter22@host:2113',
    'nats://ann:hunter22',
    'mongodb://ann:hunter22@host:27017/marquee/more',
    'mongodb://ann:hunter%22@host:port/marquee',
    'redis://ann:hunter22@host',
  ]
  for (const name of ['MARQUEE_EVENT_LOG', 'MARQUEE_READ_STORE', 'MARQUEE_VAULT', 'MARQUEE_BUS']) {
    for (const text of addresses) {
      const lines = wrong({ ...SECRET, [name]: text })
      t.equal(lines.length, 1, `${name}=${text}`)
      t.notMatch(lines[0], /hunter|22@|ann/)
    }
  }
  t.match(wrong({ ...SECRET, MARQUEE_BUS: 'nats://ann:p/w@host' }), [/password has its .* written as %3A/])
})

t.test('any engine on a server needs the secret that all API nodes sign with', async (t) => {
  for (const engine of [EVENT_STORE, READ_STORE, VAULT, BUS]) {
    const [name = ''] = Object.keys(engine)
    t.strictSame(wrong(engine), [
      `MARQUEE_SECRET is missing: with ${name} on a server, give every API node the same one, at least 32 characters.`,
    ])
    t.strictSame(wrong({ ...engine, ...SECRET }), [])
  }
})

t.test('agents and projectors of their own need no secret: they sign nothing', async (t) => {
  t.strictSame(wrong({ ...BUS, MARQUEE_ROLES: 'agent' }), [])
  for (const MARQUEE_ROLES of ['projector', 'agent,projector'])
    t.strictSame(wrong({ ...BUS, ...EVENT_STORE, ...READ_STORE, MARQUEE_ROLES }), [])
  t.match(wrong({ ...BUS, ...EVENT_STORE, ...READ_STORE, ...VAULT, MARQUEE_ROLES: 'api' }), [/^MARQUEE_SECRET is missing/])
})

t.test('a process that does all three may mix engines as it likes', async (t) => {
  const mixed: readonly Environment[] = [EVENT_STORE, { ...READ_STORE, ...BUS }, { ...EVENT_STORE, ...VAULT }, BUS]
  for (const engines of mixed) t.strictSame(right({ ...engines, ...SECRET }).roles, ['api', 'projector', 'agent'])
})

t.test('a process with fewer roles needs the engines in which it meets the others', async (t) => {
  const roles = (text: string, ...engines: Environment[]) => wrong(Object.assign({ ...SECRET, MARQUEE_ROLES: text }, ...engines))
  t.strictSame(roles('api', EVENT_STORE, READ_STORE, VAULT, BUS), [])
  t.strictSame(roles('projector', EVENT_STORE, READ_STORE, BUS), [])
  t.strictSame(roles('agent', BUS), [])
  t.strictSame(roles('agent, projector', EVENT_STORE, READ_STORE, BUS), [])
  const why = 'needs engines that it shares with other processes: give'
  t.strictSame(roles('agent'), [`MARQUEE_ROLES=agent ${why} MARQUEE_BUS (${SERVERS.bus}, not local:).`])
  t.strictSame(roles('projector', EVENT_STORE), [
    `MARQUEE_ROLES=projector ${why} MARQUEE_READ_STORE (${SERVERS.readStore}, not sqlite:), MARQUEE_BUS (${SERVERS.bus}, not local:).`,
  ])
  t.strictSame(roles('api,projector', BUS), [], 'on files, with agents of their own')
  t.strictSame(roles('api', EVENT_STORE, READ_STORE, BUS), [`MARQUEE_ROLES=api ${why} MARQUEE_VAULT (${SERVERS.vault}, not sqlite:).`])
  t.match(roles('agent,api', BUS), [/^MARQUEE_ROLES=api,agent .*MARQUEE_EVENT_LOG.*MARQUEE_READ_STORE.*MARQUEE_VAULT/])
})

t.test('the vault may not be in the database of the read models, regardless of the user who signs in there', async (t) => {
  const vault = 'mongodb://keeper:hunter22@docs:27017/marquee?authSource=admin'
  const lines = wrong({ ...SECRET, ...READ_STORE, MARQUEE_VAULT: vault })
  t.strictSame(lines, ['MARQUEE_VAULT names the database of MARQUEE_READ_STORE: give it one of its own, such as marquee_vault.'])
})

t.test('an engine named in the .env file counts for the rules, too', async (t) => {
  const config = readConfig({ env: { MARQUEE_ROLES: 'agent' }, dotEnv: { ...SECRET, ...BUS }, folder: '/' })
  t.match(config, { roles: ['agent'], bus: 'nats://bus:4222' })
})
