import t from 'tap'
import { isConfig, readConfig } from '../../src/config/config.ts'
import { settingsInForce } from '../../src/config/settings-in-force.ts'
import { SETTINGS } from '../../src/config/settings.ts'

function inForce(env: Readonly<Record<string, string>>) {
  const config = readConfig({ env, folder: '/srv/marquee' })
  if (!isConfig(config)) throw new Error(JSON.stringify(config))
  return new Map(settingsInForce(config).map((setting) => [setting.name, setting]))
}

t.test('every setting is there, given or not, in the form in which it is written', async (t) => {
  const settings = inForce({
    MARQUEE_PATH_MAP: '/films=/mnt/films,/more=/mnt/more',
    MARQUEE_CACHE_BYTES: '1 GB',
  })
  t.strictSame(
    [...settings.keys()],
    Object.values(SETTINGS).map(({ name }) => name),
  )
  const valueOf = (name: string) => settings.get(name)?.value
  t.strictSame(['MARQUEE_PORT', 'MARQUEE_DATA_DIR', 'MARQUEE_PATH_MAP', 'MARQUEE_ROLES', 'MARQUEE_BLOBS'].map(valueOf), [
    '8420',
    '/srv/marquee/data',
    '/films=/mnt/films,/more=/mnt/more',
    'api,projector,agent',
    null,
  ])
  t.match([settings.get('MARQUEE_PORT'), settings.get('MARQUEE_BLOBS')], [{ isSet: true }, { isSet: false }])
})

t.test('nothing that lets somebody in is shown', async (t) => {
  const secrets = Object.fromEntries(
    Object.values(SETTINGS)
      .filter((setting) => 'secret' in setting && setting.secret)
      .map(({ name }) => [name, `${name.endsWith('_HEADERS') ? 'authorization=' : ''}${'canary-'.repeat(6)}`]),
  )
  t.ok(Object.keys(secrets).length >= 5)
  const engines = {
    MARQUEE_EVENT_LOG: 'esdb://admin:canary@host:2113?tls=false',
    MARQUEE_VAULT: 'mongodb://user:canary@host/vault',
    MARQUEE_BUS: 'nats://user:canary@host:4222',
  }
  for (const env of [secrets, { ...engines, MARQUEE_SECRET: 'canary-'.repeat(6) }]) {
    const settings = inForce(env)
    t.notMatch(JSON.stringify([...settings.values()]), /canary/)
    for (const name of Object.keys(env)) t.ok(settings.get(name)?.isSet, name)
  }
  t.equal(inForce({ ...engines, MARQUEE_SECRET: 'canary-'.repeat(6) }).get('MARQUEE_VAULT')?.value, 'mongodb://...')
})
