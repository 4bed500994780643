import t from 'tap'
import { PASSWORD_COST } from '../../src/app/accounts/password-hash.ts'
import { configWarnings, isConfig, readConfig } from '../../src/config/config.ts'
import type { Config, Environment } from '../../src/config/config.ts'
import { isWrong } from '../../src/config/reading.ts'
import { SETTINGS, type Setting } from '../../src/config/settings.ts'

const folder = '/srv/marquee'

function right(env: Environment, dotEnv: Environment = {}): Config {
  const config = readConfig({ env, dotEnv, folder })
  if (!isConfig(config)) throw new Error(config.map(({ message }) => message).join('\n'))
  return config
}

function wrong(env: Environment): readonly string[] {
  const config = readConfig({ env, folder })
  return isConfig(config) ? [] : config.map(({ message }) => message)
}

t.test('every default of the table is a value of its setting', async (t) => {
  const settings = Object.entries<Setting<unknown>>(SETTINGS)
  for (const [key, { name, standard, read }] of settings) {
    const value = standard === undefined ? undefined : read(standard, folder)
    t.notOk(isWrong(value), name)
    t.strictSame(right({})[key as keyof Config], value, name)
  }
})

t.test('the defaults that people rely on are these', async (t) => {
  const relied: Partial<Config> = {
    backupKeep: 14,
    backupHours: 24,
    host: '0.0.0.0',
    mediaWork: 'here',
    port: 8420,
    dataDir: '/srv/marquee/data',
    adminEmail: 'admin@localhost',
    signUp: 'off',
    oidcName: 'single sign-on',
    oidcScopes: 'openid profile email',
    oidcSignUp: 'off',
    oidcLinkByEmail: 'off',
    oidcGroupsClaim: 'groups',
    serviceName: 'marquee',
    traceShare: 1,
    eventLog: 'sqlite:',
    readStore: 'sqlite:',
    vault: 'sqlite:',
    bus: 'local:',
    roles: ['api', 'projector', 'agent'],
    rateLimit: 100,
    speedtestRateLimit: 3,
    sessionIdleSeconds: 120,
    passwordCost: PASSWORD_COST.logN,
    cacheBytes: 10 * 1024 ** 3,
    memoryCacheBytes: 256 * 1024 ** 2,
    logLevel: 'info',
  }
  const config = right({})
  t.strictSame(Object.fromEntries(Object.keys(relied).map((key) => [key, config[key as keyof Config]])), relied)
})

t.test('right values are taken', async (t) => {
  const cases: readonly (readonly [name: string, text: string, key: keyof Config, value: unknown])[] = [
    ['MARQUEE_HOST', '127.0.0.1', 'host', '127.0.0.1'],
    ['MARQUEE_API_URL', 'http://films:8420/', 'apiUrl', 'http://films:8420'],
    ['MARQUEE_OIDC_LIBRARIES', 'kids = Cartoons', 'oidcLibraries', [{ group: 'kids', library: 'Cartoons' }]],
    ['MARQUEE_OIDC_ADMINS', 'bosses, "x"', 'oidcAdmins', ['bosses', '"x"']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318/', 'otlpEndpoint', 'http://127.0.0.1:4318'],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'authorization=Bearer%20a%3D, x-scope=1',
      'otlpHeaders',
      [
        { name: 'authorization', value: 'Bearer a=' },
        { name: 'x-scope', value: '1' },
      ],
    ],
    ['OTEL_TRACES_SAMPLER_ARG', '0.25', 'traceShare', 0.25],
    ['MARQUEE_PATH_MAP', '/films=/mnt/films', 'pathMap', [{ from: '/films', to: '/mnt/films' }]],
    [
      'MARQUEE_PATH_MAP',
      '/a=b/c/=/mnt//d/, /=/host',
      'pathMap',
      [
        { from: '/a=b/c', to: '/mnt/d' },
        { from: '/', to: '/host' },
      ],
    ],
    ['MARQUEE_HOST', '::1', 'host', '::1'],
    ['MARQUEE_PORT', '0', 'port', 0],
    ['MARQUEE_PORT', ' 65535 ', 'port', 65_535],
    ['MARQUEE_DATA_DIR', '/var/lib/marquee', 'dataDir', '/var/lib/marquee'],
    ['MARQUEE_DATA_DIR', '../films', 'dataDir', '/srv/films'],
    ['MARQUEE_ADMIN_EMAIL', 'Ann@Example.org', 'adminEmail', 'ann@example.org'],
    ['MARQUEE_ADMIN_PASSWORD', ' spaces count ', 'adminPassword', ' spaces count '],
    ['MARQUEE_SECRET', 'x'.repeat(32), 'secret', 'x'.repeat(32)],
    ['MARQUEE_SECRET', 'ä'.repeat(16), 'secret', 'ä'.repeat(16)],
    ['MARQUEE_CACHE_BYTES', '0', 'cacheBytes', 0],
    ['MARQUEE_CACHE_BYTES', '500000000', 'cacheBytes', 500_000_000],
    ['MARQUEE_CACHE_BYTES', '10 GB', 'cacheBytes', 10_737_418_240],
    ['MARQUEE_CACHE_BYTES', '1.5gib', 'cacheBytes', 1_610_612_736],
    ['MARQUEE_CACHE_BYTES', '2t', 'cacheBytes', 2_199_023_255_552],
    ['MARQUEE_MEMORY_CACHE_BYTES', '256MB', 'memoryCacheBytes', 268_435_456],
    ['MARQUEE_MEDIA_ROOTS', '/media/films, more ,', 'mediaRoots', ['/media/films', '/srv/marquee/more']],
    ['MARQUEE_TRUSTED_PROXIES', '10.0.0.0/8,::1', 'trustedProxies', ['10.0.0.0/8', '::1']],
    ['MARQUEE_CORS_ORIGINS', 'https://a.example/,http://b:81', 'corsOrigins', ['https://a.example', 'http://b:81']],
    ['MARQUEE_PUBLIC_URL', 'https://films.example/', 'publicUrl', 'https://films.example'],
    ['MARQUEE_PUBLIC_URL', 'https://films.example:8443', 'publicUrl', 'https://films.example:8443'],
    ['MARQUEE_TMDB_URL', 'https://example.org/films/', 'tmdbUrl', 'https://example.org/films'],
    ['MARQUEE_ROLES', 'agent, api,projector', 'roles', ['api', 'projector', 'agent']],
    ['MARQUEE_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['FFMPEG_PATH', '/opt/ffmpeg', 'ffmpegPath', '/opt/ffmpeg'],
  ]
  for (const [name, text, key, value] of cases) t.strictSame(right({ [name]: text })[key], value, `${name}=${text}`)
})

const PAIRS = 'pairs of absolute folders such as /films=/mnt/films'
const SENDFILE = 'x-sendfile, or x-accel-redirect and an internal location such as x-accel-redirect:/marquee-files'
const SITE = 'an address without a path, such as https://films.example.org'
const HEADERS = 'headers such as authorization=Bearer%20abc, separated by commas'

t.test('a wrong value is answered by one line that names the setting and says what would be right', async (t) => {
  const port = 'a whole number from 0 to 65535'
  const cases: readonly (readonly [name: string, text: string, wanted: string])[] = [
    ['MARQUEE_PORT', 'abc', port],
    ['MARQUEE_PORT', '70000', port],
    ['MARQUEE_PORT', '-1', port],
    ['MARQUEE_PORT', '1e3', port],
    ['MARQUEE_HOST', 'no host', 'an address such as 0.0.0.0, ::1 or localhost'],
    ['MARQUEE_RATE_LIMIT', '-5', 'a whole number from 1 to 1000000'],
    ['MARQUEE_RATE_LIMIT', '0', 'a whole number from 1 to 1000000'],
    ['MARQUEE_SESSION_IDLE_SECONDS', 'soon', 'a whole number from 1 to 86400'],
    ['MARQUEE_CACHE_BYTES', '10 apples', 'a size such as 500000000, 256MB or 10 GB'],
    ['MARQUEE_CACHE_BYTES', '99999999 TB', 'a size such as 500000000, 256MB or 10 GB'],
    ['MARQUEE_ADMIN_EMAIL', 'ann', 'an e-mail address such as ann@example.org'],
    ['MARQUEE_ADMIN_EMAIL', 'a@b@c', 'an e-mail address such as ann@example.org'],
    ['MARQUEE_LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['MARQUEE_SIGN_UP', 'yes', 'one of off, first, open'],
    ['MARQUEE_ROLES', 'api,cook', 'any of api, projector, agent, separated by commas'],
    ['MARQUEE_API_URL', 'films:8420', 'an address such as https://films.example.org'],
    ['MARQUEE_OIDC_ISSUER', 'login', 'the address that the provider names as its issuer, such as https://login.example.org'],
    ['MARQUEE_OIDC_LIBRARIES', 'kids', 'pairs of group and library such as kids=Cartoons, separated by commas'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'a number from 0 to 1'],
    ['MARQUEE_PATH_MAP', '/films', PAIRS],
    ['MARQUEE_PATH_MAP', 'films=/mnt/films', PAIRS],
    ['MARQUEE_PATH_MAP', '/films=mnt', PAIRS],
    ['MARQUEE_PATH_MAP', '/films=/mnt/films,/more=/mnt/../etc', PAIRS],
    ['MARQUEE_ROLES', ',', 'any of api, projector, agent, separated by commas'],
    ['MARQUEE_MEDIA_ROOTS', ' , ', 'values separated by commas'],
    ['MARQUEE_TRUSTED_PROXIES', '10.0.0.0/33', 'IP addresses or networks such as 10.0.0.0/8, separated by commas'],
    ['MARQUEE_SENDFILE', 'on', SENDFILE],
    ['MARQUEE_SENDFILE', 'x-accel-redirect', SENDFILE],
    ['MARQUEE_SENDFILE', 'x-accel-redirect:/a/../b', SENDFILE],
    ['MARQUEE_SENDFILE', 'x-accel-redirect:/a/', SENDFILE],
    ['MARQUEE_CORS_ORIGINS', '*', 'origins such as https://films.example.org, separated by commas'],
    ['MARQUEE_PUBLIC_URL', 'films.example', SITE],
    ['MARQUEE_PUBLIC_URL', 'ftp://films.example', SITE],
    ['MARQUEE_PUBLIC_URL', 'https://example.org/marquee/', SITE],
    ['MARQUEE_PUBLIC_URL', 'https://example.org/marquee', SITE],
    ['MARQUEE_PUBLIC_URL', 'https://example.org//', SITE],
  ]
  for (const [name, text, wanted] of cases) {
    t.strictSame(wrong({ [name]: text }), [`${name}=${text.trim()} is invalid: give ${wanted}.`])
  }
})

t.test('the value of a secret setting is not shown', async (t) => {
  t.strictSame(wrong({ MARQUEE_SECRET: 'x'.repeat(31) }), ['MARQUEE_SECRET is invalid: give at least 32 characters.'])
  t.strictSame(wrong({ MARQUEE_ADMIN_PASSWORD: 'short' }), ['MARQUEE_ADMIN_PASSWORD is invalid: give 8 to 128 characters.'])
  for (const text of ['authorization', 'authorization=%', 'authorization=a%0Ab', 'a b=c'])
    t.strictSame(wrong({ OTEL_EXPORTER_OTLP_HEADERS: text }), [`OTEL_EXPORTER_OTLP_HEADERS is invalid: give ${HEADERS}.`], text)
})

t.test('a value is shown in one short line without the password of a connection string', async (t) => {
  t.match(wrong({ MARQUEE_PUBLIC_URL: 'https://ann:hunter/22@host' }), ['MARQUEE_PUBLIC_URL=https://...@host is invalid'])
  t.match(wrong({ MARQUEE_PORT: `1\n${'9'.repeat(500)}` }), [/^MARQUEE_PORT=1 9{78}\.\.\. is invalid: [^\n]+$/])
})

t.test('an identity provider needs its issuer and a client id', async (t) => {
  const issuer = { MARQUEE_OIDC_ISSUER: 'https://login.example.org/realms/house/' }
  t.match(wrong(issuer), [/^MARQUEE_OIDC_CLIENT_ID is missing/])
  t.match(wrong({ MARQUEE_OIDC_CLIENT_ID: 'marquee' }), [/^MARQUEE_OIDC_ISSUER is missing/])
  t.equal(right({ ...issuer, MARQUEE_OIDC_CLIENT_ID: 'marquee' }).oidcIssuer, issuer.MARQUEE_OIDC_ISSUER, 'its trailing slash stays')
})

t.test('who lets a proxy send files names the proxy and the folders', async (t) => {
  const sendfile = { MARQUEE_SENDFILE: 'x-accel-redirect:/marquee-files' }
  t.match(wrong(sendfile), [/^MARQUEE_TRUSTED_PROXIES is missing/, /^MARQUEE_MEDIA_ROOTS is missing/])
  const needed = { MARQUEE_TRUSTED_PROXIES: '127.0.0.1', MARQUEE_MEDIA_ROOTS: '/srv/films' }
  t.equal(right({ ...sendfile, ...needed }).sendfile, sendfile.MARQUEE_SENDFILE)
})

t.test('all errors are reported at once', async (t) => {
  t.equal(wrong({ MARQUEE_PORT: 'x', MARQUEE_RATE_LIMIT: 'y', MARQUEE_LOG_LEVEL: 'z' }).length, 3)
})

t.test('the environment goes before the .env file, and an empty value counts as not given', async (t) => {
  t.equal(right({}, { MARQUEE_PORT: '1' }).port, 1)
  t.equal(right({ MARQUEE_PORT: '2' }, { MARQUEE_PORT: '1' }).port, 2)
  t.equal(right({ MARQUEE_PORT: '' }, { MARQUEE_PORT: '1' }).port, 8420)
  t.equal(right({ MARQUEE_SECRET: '' }).secret, undefined)
})

t.test('unknown names are warned about with the nearest known one', async (t) => {
  const env = { MARQUEE_PROT: '1', MARQUEE_SESSION_IDLE_SECOND: '5', marquee_port: '1', MARQUEE_XYZZYPLUGH: '1', PATH: '/bin' }
  t.strictSame(configWarnings({ env }), [
    'MARQUEE_PROT is not a setting; did you mean MARQUEE_PORT?',
    'MARQUEE_SESSION_IDLE_SECOND is not a setting; did you mean MARQUEE_SESSION_IDLE_SECONDS?',
    'marquee_port is not a setting; did you mean MARQUEE_PORT?',
    'MARQUEE_XYZZYPLUGH is not a setting: `npm start -- --help` lists them all.',
  ])
})

t.test('a key of a provider is one word, and no warning or complaint shows it', async (t) => {
  t.equal(right({ MARQUEE_TMDB_KEY: ' 0123abcd\t' }).tmdbKey, '0123abcd')
  t.strictSame(configWarnings({ env: {}, dotEnv: { MARQUEE_TMDB_KEY: 'k', MARQUEE_TMDB_URL: 'http://films.lan/3' } }), [])
  for (const key of ['two words', 'a\u00a0b', 'line\nbreak', 'x'.repeat(2001)]) {
    t.strictSame(readConfig({ env: { MARQUEE_TMDB_KEY: key } }), [
      { name: 'MARQUEE_TMDB_KEY', message: 'MARQUEE_TMDB_KEY is invalid: give the key as the provider shows it, without spaces.' },
    ])
  }
})
