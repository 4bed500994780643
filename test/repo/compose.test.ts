import t from 'tap'
import { isConfig, readConfig } from '../../src/config/config.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { composeFile, textOf, variablesOf, type Service } from './compose-file.ts'

const SECRETS = ['MARQUEE_ADMIN_PASSWORD', 'MARQUEE_SECRET', 'NATS_AGENT_PASSWORD', 'NATS_API_PASSWORD', 'NATS_PROJECTOR_PASSWORD']
const GIVEN = {
  FILMS: '/my/films',
  MARQUEE_ADMIN_PASSWORD: 'a password',
  MARQUEE_SECRET: 's'.repeat(64),
  NATS_AGENT_PASSWORD: 'a'.repeat(64),
  NATS_API_PASSWORD: 'n'.repeat(64),
  NATS_PROJECTOR_PASSWORD: 'p'.repeat(64),
}
const { configs, services, networks, volumes } = composeFile(GIVEN)
const { version, devDependencies } = JSON.parse(textOf('package.json'))
const dockerfile = textOf('Dockerfile')
const all = Object.entries(services)
const own = all.filter(([, { build }]) => build !== undefined)
const apis = own.filter(([name]) => name.startsWith('api-'))
const servers = ['eventstore', 'mongodb', 'nats']

const targets = ({ volumes: mounts = [] }: Service) =>
  mounts.map((mount) => (typeof mount === 'string' ? (mount.split(':')[1] ?? '') : `${mount.target}${mount.read_only ? ' read-only' : ''}`))

t.test('the topology is two of each program, three servers and a proxy', async (t) => {
  t.strictSame(all.map(([name]) => name).toSorted(), [
    'agent-1',
    'agent-2',
    'api-1',
    'api-2',
    'eventstore',
    'mongodb',
    'nats',
    'projector-1',
    'projector-2',
    'proxy',
  ])
  for (const [name, { environment }] of own) t.equal(environment?.['MARQUEE_ROLES'], name.split('-')[0])
})

t.test('every program gets settings that there are, and that let it start', async (t) => {
  const known = new Set(Object.values(SETTINGS).map(({ name }) => name))
  for (const [name, { environment = {} }] of own) {
    t.strictSame(
      Object.keys(environment).filter((setting) => !known.has(setting)),
      [],
      name,
    )
    const config = readConfig({ env: environment, folder: '/app' })
    t.ok(isConfig(config), `${name}: ${isConfig(config) ? 'right' : config.map(({ message }) => message).join(' ')}`)
  }
})

/** Without it an optional feature is off, and nothing is exposed. */
const MAY_BE_EMPTY = 'MARQUEE_TMDB_KEY'

t.test('Compose refuses to start without the secrets, and none has a default', async (t) => {
  const { required, optional } = variablesOf(textOf('compose.yaml'))
  t.strictSame([...required].toSorted(), ['FILMS', ...SECRETS].toSorted())
  t.strictSame(
    [...optional].filter((name) => /password|secret|token|key/i.test(name)),
    [MAY_BE_EMPTY],
  )
})

t.test('the key for online metadata reaches the API nodes alone, and an empty one is none', async (t) => {
  t.match(textOf('compose.yaml'), `\${${MAY_BE_EMPTY}:-}`, 'no key of ours by default')
  const keyed = composeFile({ ...GIVEN, [MAY_BE_EMPTY]: 'k'.repeat(32) }).services
  for (const [name] of own) {
    const isApi = name.startsWith('api-')
    t.equal(keyed[name]?.environment?.[MAY_BE_EMPTY], isApi ? 'k'.repeat(32) : undefined, name)
    const config = readConfig({ env: services[name]?.environment ?? {}, folder: '/app' })
    t.ok(isConfig(config) && config.tmdbKey === undefined, name)
  }
})

const DIGEST = /@sha256:[0-9a-f]{64}$/
const PINNED = /^[a-z/]+:\d+\.\d+\.\d+(-[a-z0-9.]+)?(@sha256:[0-9a-f]{64})?$/

t.test('every image is pinned to a version, and ours to this one', async (t) => {
  for (const [name, { image = '' }] of all) t.match(image, PINNED, name)
  for (const name of ['proxy', 'nats']) t.match(services[name]?.image, DIGEST, name)
  for (const [, { image }] of own) t.equal(image, `marquee:${version}`)
  t.match(services['eventstore']?.image, /^eventstore\/eventstore:24\.6\./, 'the last one under an open-source licence')
})

t.test('every container has a health check', async (t) => {
  for (const [name, { healthcheck }] of all) {
    if (name.startsWith('api-')) t.match(dockerfile, /\nHEALTHCHECK .*\/healthz/, 'the one of the image')
    else t.ok(healthcheck && healthcheck.test.length > 1, name)
  }
})

t.test('nothing but the proxy has a port outside, and networks of servers have no way out', async (t) => {
  t.strictSame(
    all.filter(([, { ports }]) => ports !== undefined).map(([name]) => name),
    ['proxy'],
  )
  for (const name of servers) for (const network of services[name]?.networks ?? ['none']) t.equal(networks[network]?.internal, true, name)
})

t.test('the proxy sends people to nodes that are ready, else to those that live, and is believed about who asks', async (t) => {
  const proxy = configs['proxy']?.content ?? ''
  const [, ready = '', living = ''] = proxy.split(/^backend /m)
  for (const [name] of apis) {
    t.match(ready, `server ${name} ${name}:8420`)
    t.match(living, `server ${name} ${name}:8420`)
  }
  t.match(ready, 'uri /readyz')
  t.match(living, 'uri /healthz')
  t.match(proxy, 'option forwardfor')
  const [{ subnet } = { subnet: 'none' }] = networks['front']?.ipam?.config ?? []
  for (const [, { environment }] of apis) t.equal(environment?.['MARQUEE_TRUSTED_PROXIES'], subnet)
})

t.test('NATS takes only those who know the password of their role, and each program has that of its own role alone', async (t) => {
  const passwords = { agent: GIVEN.NATS_AGENT_PASSWORD, api: GIVEN.NATS_API_PASSWORD, projector: GIVEN.NATS_PROJECTOR_PASSWORD }
  const content = configs['nats']?.content ?? ''
  for (const [role, password] of Object.entries(passwords)) t.match(content, `user: ${role}, password: "${password}"`)
  t.equal(content.match(/password:/g)?.length, 3)
  for (const [name, { environment }] of own) {
    const role = environment?.['MARQUEE_ROLES']
    for (const [owner, password] of Object.entries(passwords)) {
      if (owner === role) t.equal(environment?.['MARQUEE_BUS'], `nats://${owner}:${password}@nats:4222`, name)
      else t.notMatch(JSON.stringify(environment), password, `${name} cannot be ${owner}`)
    }
  }
})

t.test('agents, which open films of anybody, reach NATS and the proxy alone, with no way out and no secret to sign with', async (t) => {
  for (const name of ['agent-1', 'agent-2']) {
    t.strictSame(services[name]?.networks, ['bus', 'films'])
    t.equal(services[name]?.environment?.['MARQUEE_API_URL'], 'http://proxy:8420')
    t.notOk(JSON.stringify(services[name]?.environment).includes(GIVEN.MARQUEE_SECRET), name)
  }
  const reach = (network: string) => all.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name)
  t.strictSame(reach('films').toSorted(), ['agent-1', 'agent-2', 'proxy'])
  t.equal(networks['films']?.internal, true)
  for (const name of ['eventstore', 'mongodb']) t.strictSame(services[name]?.networks, ['stores'])
})

t.test('API nodes alone have the secret, and run no ffmpeg', async (t) => {
  for (const [name, { environment = {} }] of own) {
    const config = readConfig({ env: environment, folder: '/app' })
    const startsPrograms =
      isConfig(config) && (config.roles.includes('agent') || (config.roles.includes('api') && config.mediaWork === 'here'))
    t.equal(startsPrograms, name.startsWith('agent-'), name)
    t.equal(environment['MARQUEE_SECRET'] !== undefined, name.startsWith('api-'), name)
  }
})

t.test('programs start once the servers that they need are healthy', async (t) => {
  for (const [name, { depends_on: needs = {} }] of own) {
    t.strictSame(Object.keys(needs), name.startsWith('agent') ? ['nats'] : servers, name)
    for (const { condition } of Object.values(needs)) t.equal(condition, 'service_healthy')
  }
})

t.test('films are mounted on the API nodes alone, and cannot be written; API nodes share images and indexes', async (t) => {
  for (const [name, service] of own) {
    const films = targets(service).filter((target) => target.startsWith('/films'))
    t.strictSame(films, name.startsWith('api') ? ['/films read-only'] : [], name)
  }
  for (const [, { environment, volumes: mounts }] of apis) {
    t.equal(environment?.['MARQUEE_BLOBS'], '/blobs')
    t.ok(mounts?.includes('blobs:/blobs'))
  }
  const folders = apis.map(([, service]) => service.volumes?.find((mount) => typeof mount === 'string' && mount.endsWith(':/data')))
  t.equal(new Set(folders).size, apis.length, 'a data folder has one owner')
  t.ok('blobs' in volumes)
})

t.test('our containers run without rights: not root, on a root that cannot be written', async (t) => {
  for (const [name, service] of own) t.equal(service.read_only, true, name)
  for (const [name, service] of all) {
    t.strictSame(service.cap_drop, ['ALL'], name)
    t.ok(Number(service.pids_limit) > 0, `${name} cannot start processes without end`)
    t.match(service.mem_limit, /^\d+[mg]$/, `${name} cannot take all memory`)
    t.strictSame(service.security_opt, ['no-new-privileges:true'], name)
  }
  const [, last = ''] = dockerfile.split(/\n(?=FROM )/).slice(-2)
  t.match(last, /\nUSER node\n/)
  t.notMatch(last, /npm ci|build-essential|\bg\+\+|python/, 'what builds stays in a stage of its own')
})

t.test('the image has the Node that the tests run on, and holds the program alone', async (t) => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  t.equal(bases.length, 2)
  t.equal(new Set(bases).size, 1, 'both stages have the same')
  t.ok(bases[0]?.startsWith(`node:${devDependencies.node}-bookworm-slim@`))
  t.match(bases[0], DIGEST)
  t.match(dockerfile, /npm ci --omit=dev/)
  const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  const letIn = textOf('.dockerignore').split('\n')
  t.equal(
    letIn.find((line) => line !== '' && !line.startsWith('#')),
    '*',
  )
  t.strictSame(
    new Set(letIn.filter((line) => line.startsWith('!')).map((line) => line.slice(1))),
    new Set(copied),
    'what is copied is let in, and nothing else',
  )
})
