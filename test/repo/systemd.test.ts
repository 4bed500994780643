/** The systemd unit in docs/systemd/, as far as it can be checked without a running systemd. */
import t from 'tap'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { SETTINGS } from '../../src/config/settings.ts'
import { ENVIRONMENT, NODE_OPTIONS } from '../../src/process/start-again.ts'
import { findProgram, tellMissing } from '../fixtures/programs.ts'

const ROOT = join(import.meta.dirname, '../..')
const UNIT = join(ROOT, 'docs/systemd/marquee.service')
const lines = readFileSync(UNIT, 'utf8').split('\n')
const valuesOf = (name: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))

t.test('its settings exist, and it starts a program that the build makes', async (t) => {
  const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
  const given = valuesOf('Environment').flatMap((line) => line.split(' ').map((one) => one.split('=', 1)[0] ?? ''))
  for (const name of given.filter((one) => one.startsWith('MARQUEE_'))) t.ok(known.has(name), name)
  const [start = ''] = valuesOf('ExecStart')
  t.match(start, /^\/usr\/bin\/node .*\/opt\/marquee\/dist\/main\.js$/)
})

t.test('it and the image start the program with all that it would start itself again for', async (t) => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const [environment, image] = [valuesOf('Environment').join(' '), /^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '']
  for (const [name, value] of Object.entries(ENVIRONMENT))
    for (const given of [environment, image]) t.ok(given.split(' ').includes(`${name}=${value}`), `${name} in ${given}`)
  const options = (valuesOf('ExecStart')[0] ?? '').split(' ').filter((word) => word.startsWith('--'))
  t.strictSame(options, ['--disable-warning=ExperimentalWarning', ...NODE_OPTIONS])
  t.match(dockerfile, `CMD ["node", ${options.map((option) => `"${option}"`).join(', ')}, "dist/main.js"]`)
})

t.test('what it may write is its state folder, which is the data folder', async (t) => {
  t.strictSame(valuesOf('ProtectSystem'), ['strict'])
  t.match(valuesOf('Environment').join(' '), `MARQUEE_DATA_DIR=/var/lib/${valuesOf('StateDirectory')[0]}`)
  t.strictSame(valuesOf('ReadWritePaths'), [])
})

t.test('systemd takes it as it is, and rates its exposure below 2', async (t) => {
  const analyze = findProgram('systemd-analyze')
  if (analyze === undefined) return tellMissing(t, 'systemd-analyze')
  const { all } = await execa(analyze, ['security', '--offline=true', '--no-pager', '--threshold=19', UNIT], { all: true, reject: false })
  t.match(all, /Overall exposure level for marquee\.service: [01]\.\d/)
  t.notMatch(all, /Unknown key|Failed to parse|Invalid|does not match/)
})
