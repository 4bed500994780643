/** Puts a canary into every setting that can contain a secret: no start may print or log it. */
import t from 'tap'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../src/config/settings.ts'
import type { Setting } from '../../src/config/settings.ts'
import { spawnBound } from '../fakes/bound-process.ts'

const CANARY = 'C4n4ry'
const MAIN = join(import.meta.dirname, '../../src/main.ts')
/** A port on which nothing listens. */
const NOWHERE = '127.0.0.1:9'
const SECRET = `${CANARY}-of-at-least-thirty-two-characters`

type Values = Readonly<Record<string, string>>

/** Valid values: the start serves, or waits for missing servers. */
const GOOD: readonly Values[] = [
  {
    MARQUEE_ADMIN_PASSWORD: `${CANARY}-password`,
    MARQUEE_SETUP_TOKEN: CANARY,
    MARQUEE_SECRET: SECRET,
    MARQUEE_PREVIOUS_SECRET: `${SECRET}-before`,
    MARQUEE_TMDB_KEY: `${CANARY}key`,
    MARQUEE_TMDB_URL: `http://${NOWHERE}/3`,
    MARQUEE_BACKUP_DIR: './backups',
    MARQUEE_BACKUP_PASSPHRASE: `${CANARY}-passphrase`,
    MARQUEE_METRICS: '127.0.0.1:0',
    MARQUEE_METRICS_TOKEN: `${CANARY}token`,
    MARQUEE_OIDC_ISSUER: `http://${NOWHERE}`,
    MARQUEE_OIDC_CLIENT_ID: 'marquee',
    MARQUEE_OIDC_CLIENT_SECRET: `${CANARY}-of-the-client`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${NOWHERE}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${CANARY}`,
  },
  {
    MARQUEE_SECRET: SECRET,
    MARQUEE_EVENT_LOG: `esdb://ann:${CANARY}@${NOWHERE}?tls=false&connectionName=marquee`,
    MARQUEE_READ_STORE: `mongodb://ann:${CANARY}@${NOWHERE}/marquee?authSource=admin`,
    MARQUEE_VAULT: `mongodb://ann:${CANARY}@${NOWHERE}/marquee_vault?authSource=admin`,
    MARQUEE_BUS: `nats://ann:${CANARY}@${NOWHERE}`,
  },
]

/** Values that prevent a start at once, all of them together. */
const BAD: readonly Values[] = [
  {
    MARQUEE_ADMIN_PASSWORD: CANARY,
    MARQUEE_SECRET: CANARY,
    MARQUEE_PREVIOUS_SECRET: CANARY,
    MARQUEE_TMDB_KEY: `${CANARY} with a blank`,
    MARQUEE_TMDB_URL: `https://api.example.org/3?api_key=${CANARY}`,
    MARQUEE_BACKUP_PASSPHRASE: CANARY.repeat(200),
    MARQUEE_METRICS_TOKEN: `${CANARY} with a blank`,
    MARQUEE_OIDC_CLIENT_SECRET: CANARY.repeat(200),
    OTEL_EXPORTER_OTLP_HEADERS: `authorization: ${CANARY}`,
    MARQUEE_API_URL: `http://ann:${CANARY}@host:8420`,
    MARQUEE_PUBLIC_URL: `ann:${CANARY}@host`,
    MARQUEE_CORS_ORIGINS: `https://ann:${CANARY}@host`,
    MARQUEE_EVENT_LOG: `esdb://ann:${CANARY}@host@host`,
    MARQUEE_READ_STORE: `mongodb://ann:${CANARY}@host`,
    MARQUEE_VAULT: `mongodb://ann:${CANARY}#@host/vault`,
    MARQUEE_BUS: `nats://ann:${CANARY}@host:port`,
  },
  {
    MARQUEE_TMDB_URL: `//api.example.org/?${CANARY}`,
    MARQUEE_EVENT_LOG: `esdb://ann:${CANARY}?@host`,
    MARQUEE_READ_STORE: `mongodb://ann:${CANARY}/@host/marquee`,
    MARQUEE_VAULT: `ann:${CANARY}@host/vault`,
    MARQUEE_BUS: `nats://${CANARY}@`,
  },
]

/**
 * Options of addresses that only the driver can validate: each prevents a start by itself. `connection.test.ts` has more of the first kind.
 */
const BAD_OPTIONS: readonly Values[] = [
  { MARQUEE_EVENT_LOG: `esdb://ann:${CANARY}@${NOWHERE}?tlsVerifyCert=false` },
  { MARQUEE_READ_STORE: `mongodb://ann:${CANARY}@${NOWHERE}/marquee?nix=1&w=nine&directConnection=perhaps` },
  { MARQUEE_VAULT: `mongodb://ann:${CANARY}@${NOWHERE}/marquee_vault?tls=perhaps` },
  { MARQUEE_BUS: `nats://ann:${CANARY}%ff@${NOWHERE}` },
]

interface Ended {
  readonly output: string
  readonly code: number | null
}

/** Starts it, and stops it when it serves or waits. */
async function start(folder: string, values: Values): Promise<Ended> {
  const env = { PATH: process.env['PATH'], MARQUEE_HOST: '127.0.0.1', MARQUEE_PORT: '0', MARQUEE_DATA_DIR: join(folder, 'data') }
  const child = spawnBound(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    cwd: folder,
    env: { ...env, MARQUEE_LOG_LEVEL: 'trace', ...values },
  })
  let output = ''
  const hear = (text: string): void => {
    output += text
    if (/Go to:|Waiting/.test(output)) child.kill('SIGTERM')
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear)
  return new Promise((settle) => child.once('close', (code) => settle({ output, code })))
}

/** Log files that a start may write besides its output. Its stored data is secret anyway. */
const logsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log') && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

t.test('every setting that can hold a secret has a canary, in a good value and in a bad one', async (t) => {
  const named = (list: readonly Values[]): ReadonlySet<string> => new Set(list.flatMap((values) => Object.keys(values)))
  const [good, bad] = [named(GOOD), named([...BAD, ...BAD_OPTIONS])]
  for (const { name, secret, engine } of Object.values<Setting<unknown>>(SETTINGS)) {
    if (!secret && !engine) continue
    t.ok(good.has(name), `${name} is given`)
    // Any text is a valid value.
    if (name !== 'MARQUEE_SETUP_TOKEN') t.ok(bad.has(name), `${name} is given wrongly`)
  }
})

t.test('no secret is printed or logged by a start with right settings', async (t) => {
  for (const values of GOOD) {
    const folder = t.testdir()
    const { output } = await start(folder, values)
    t.match(output, /Go to:|Waiting/)
    t.notMatch(output + logsIn(folder), CANARY)
  }
})

t.test('no secret is printed by a start with wrong settings', async (t) => {
  for (const values of BAD) {
    const { output, code } = await start(t.testdir(), values)
    t.equal(code, 1)
    for (const name of Object.keys(values)) t.match(output, name)
    t.notMatch(output, CANARY)
  }
})

t.test('tlsVerifyCert=false, and any option that a driver does not take, prints no password', async (t) => {
  for (const values of BAD_OPTIONS) {
    const { output, code } = await start(t.testdir(), { MARQUEE_SECRET: SECRET, ...values })
    t.equal(code, 1, Object.keys(values).join())
    t.not(output, '')
    t.notMatch(output, CANARY, Object.keys(values).join())
  }
})
