import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../src/config/load.ts'
import { checkDataFolder } from '../../src/process/doctor/disk-checks.ts'
import { examine } from '../../src/process/doctor/doctor.ts'
import { sizeText, type Finding } from '../../src/process/doctor/finding.ts'
import { checkMachine } from '../../src/process/doctor/machine-checks.ts'
import { checkApiUrl, checkNetwork } from '../../src/process/doctor/network-checks.ts'
import { checkPrograms } from '../../src/process/doctor/program-checks.ts'
import { checkServers } from '../../src/process/doctor/server-checks.ts'
import { askServers } from '../../src/wiring/ask-servers.ts'

const stateOf = (findings: readonly Finding[], check: string) => findings.find((finding) => finding.check === check)?.state

t.test('a data folder is fine, open to others, missing, or no folder', async (t) => {
  const folder = t.testdir({ file: 'text', data: {} })
  const data = join(folder, 'data')
  chmodSync(data, 0o700)
  t.equal(stateOf(checkDataFolder(data), 'data folder'), 'ok')
  t.equal(stateOf(checkDataFolder(data), 'clock of the disk'), 'ok')
  t.ok(['ok', 'warning'].includes(stateOf(checkDataFolder(data), 'disk speed') ?? ''))
  chmodSync(data, 0o755)
  t.match(checkDataFolder(data)[0], { state: 'warning', remedy: `chmod 700 ${data}` })
  t.match(checkDataFolder(join(data, 'later', 'deeper'))[0], { state: 'ok', text: /first start/ })
  t.match(checkDataFolder(join(folder, 'file')), [{ state: 'failed', text: /is not a folder/, remedy: /MARQUEE_DATA_DIR/ }])
})

/** A shell limits the size of files to nothing: each write fails, as on a full disk. Tap's hooks would write, too, so there are none. */
t.test('a disk that takes no write is a failure among the other findings', async (t) => {
  const program = `
    import { checkDataFolder } from '${new URL('../../src/process/doctor/disk-checks.ts', import.meta.url).href}'
    console.log(JSON.stringify(checkDataFolder(process.cwd())))`
  const limited = `trap '' XFSZ; ulimit -f 0; exec env -i "$0" --input-type=module -e "$1"`
  const folder = t.testdir()
  const findings = execFileSync('bash', ['--norc', '-c', limited, process.execPath, program], { cwd: folder, encoding: 'utf8' })
  t.match(JSON.parse(findings), [
    { check: 'data folder' },
    { check: 'disk space' },
    { check: 'file system' },
    { check: 'disk speed', state: 'failed', text: /EFBIG/, remedy: /Make room/ },
  ])
  t.strictSame(readdirSync(folder), [])
})

t.test('limits of the machine that are too low are warnings with the setting to raise', async (t) => {
  const folder = t.testdir({
    proc: { self: { limits: 'Limit  Soft  Hard\nMax open files            1024   4096  files\n' }, sys: {} },
    cgroup: { 'memory.max': '268435456\n' },
  })
  mkdirSync(join(folder, 'proc/sys/fs/inotify'), { recursive: true })
  writeFileSync(join(folder, 'proc/sys/fs/inotify/max_user_watches'), '8192\n')
  const places = { proc: join(folder, 'proc'), cgroup: join(folder, 'cgroup'), run: '/nowhere' }
  t.match(checkMachine(places), [
    { check: 'memory', state: 'warning', text: /268 MB/ },
    { check: 'inotify', state: 'warning', text: /8192/, remedy: /max_user_watches/ },
    { check: 'open files', state: 'warning', text: /1024/, remedy: /LimitNOFILE/ },
  ])
  t.equal(
    checkMachine({ proc: join(folder, 'nothing'), cgroup: join(folder, 'cgroup'), run: '/nowhere' }).length,
    1,
    'what is not known is left out',
  )
})

t.test('the clock is judged if systemd-timesyncd keeps it, and not at all otherwise', async (t) => {
  const folder = t.testdir({ kept: { systemd: { timesync: { synchronized: '' } } }, lost: { systemd: { timesync: {} } }, none: {} })
  const look = (run: string) => checkMachine({ proc: '/nowhere', cgroup: '/nowhere', run: join(folder, run) })
  t.equal(stateOf(look('kept'), 'clock'), 'ok')
  t.match(
    look('lost').find(({ check }) => check === 'clock'),
    { state: 'warning', remedy: /set-ntp/ },
  )
  t.equal(stateOf(look('none'), 'clock'), undefined)
})

t.test('an ffmpeg that is not there fails, and one that is there is tried', async (t) => {
  t.match(await checkPrograms({ FFMPEG_PATH: '/nowhere/ffmpeg' }), [{ check: 'ffmpeg', state: 'failed', text: /FFMPEG_PATH/ }])
  t.match(await checkPrograms(process.env), [
    { check: 'ffmpeg', state: 'ok' },
    { check: 'encoders', state: 'ok' },
  ])
})

async function listening(t: Test, server: Server | HttpServer, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()))
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

const answering = (status: number, body: object) =>
  createHttpServer((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)))

t.test('a port is free, has a server that is ready or not, or has another program', async (t) => {
  const look = async (port: number) => (await checkNetwork({ host: '127.0.0.1', port, publicUrl: undefined, trustedProxies: undefined }))[0]
  const free = createServer()
  const port = await listening(t, free)
  await new Promise((resolve) => free.close(resolve))
  t.match(await look(port), { state: 'ok', text: /free/ })
  t.match(await look(await listening(t, answering(200, { status: 'ready' }))), { state: 'ok', text: /ready/ })
  t.match(await look(await listening(t, answering(200, { status: 'ready', warnings: ['the disk is nearly full'] }))), {
    state: 'warning',
    text: /nearly full/,
  })
  t.match(await look(await listening(t, answering(503, { error: 'The read models are behind' }))), { state: 'warning', text: /behind/ })
  const other = createServer((socket) => socket.end('SSH-2.0\r\n'))
  t.match(await look(await listening(t, other)), { state: 'failed', text: /taken by another program/ })
})

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))
t.test('a server that listens on an IPv6 address is found', { skip: !hasIpv6 && 'no IPv6 on this machine' }, async (t) => {
  const port = await listening(t, answering(200, { status: 'ready' }), '::1')
  const [finding] = await checkNetwork({ host: '::1', port, publicUrl: undefined, trustedProxies: undefined })
  t.match(finding, { state: 'ok', text: /is ready/ })
})

t.test('a public URL is followed, and an untrusted proxy is named', async (t) => {
  const config = { host: '127.0.0.1', port: 0, trustedProxies: undefined }
  const url = `http://127.0.0.1:${await listening(t, answering(200, { status: 'ready' }))}`
  t.match(await checkNetwork({ ...config, publicUrl: url }), [
    { check: 'port' },
    { check: 'public URL', state: 'ok' },
    { check: 'proxy headers', state: 'warning', remedy: /MARQUEE_TRUSTED_PROXIES/ },
  ])
  const wrong = `http://127.0.0.1:${await listening(t, answering(502, {}))}`
  t.equal(stateOf(await checkNetwork({ ...config, publicUrl: wrong }), 'public URL'), 'warning')
})

t.test('an agent hears whether its server answers, and other processes hear nothing of it', async (t) => {
  const ready = `http://127.0.0.1:${await listening(t, answering(200, { status: 'ready' }))}`
  t.match(await checkApiUrl({ roles: ['agent'], apiUrl: ready }), [{ check: 'API address', state: 'ok' }])
  const behind = `http://127.0.0.1:${await listening(t, answering(503, { error: 'The read models are behind' }))}`
  t.match(await checkApiUrl({ roles: ['agent'], apiUrl: behind }), [{ state: 'warning', text: /read models are behind/ }])
  const wrong = { roles: ['agent'], apiUrl: 'http://127.0.0.1:9' } as const
  t.match(await checkApiUrl(wrong), [{ state: 'failed', text: /at http:\/\/127\.0\.0\.1:9$/, remedy: /MARQUEE_API_URL/ }])
  t.strictSame(await checkApiUrl({ ...wrong, roles: ['api', 'agent'] }), [])
  t.strictSame(await checkApiUrl({ ...wrong, apiUrl: undefined }), [])
})

t.test('a server in the settings that does not answer is a failure with its setting and the reason', async (t) => {
  const loaded = loadConfig({
    env: { MARQUEE_ROLES: 'agent', MARQUEE_BUS: 'nats://agent:word@127.0.0.1:9' },
    folder: '/nowhere',
  })
  if ('problems' in loaded) throw new Error(loaded.problems.join())
  const [finding, ...others] = await checkServers(loaded.config, askServers)
  t.strictSame(others, [])
  t.match(finding, {
    check: 'servers',
    state: 'failed',
    text: /^No answer from NATS at 127\.0\.0\.1:9 \(MARQUEE_BUS\): nothing listens there/,
  })
  t.notMatch(JSON.stringify(finding), /word/, 'without the password')
  t.strictSame(await checkServers({ ...loaded.config, bus: 'local:' }, askServers), [])
})

t.test('settings that are not understood are all named, and the machine is looked at even so', async (t) => {
  const findings = await examine({
    loaded: { problems: ['MARQUEE_PORT=x is invalid', 'MARQUEE_ROLES=y is invalid'] },
    askServers: async () => ({ asked: 0, away: [] }),
    print: () => {},
  })
  t.strictSame(
    findings.filter(({ state }) => state === 'failed').map(({ text }) => text),
    ['MARQUEE_PORT=x is invalid', 'MARQUEE_ROLES=y is invalid'],
  )
  t.ok(stateOf(findings, 'memory'))
})

t.test('sizes are printed in the unit that fits', async (t) => {
  t.strictSame([0, 999, 1500, 2.5e6, 268_435_456, 72e9, 3e15].map(sizeText), [
    '0 B',
    '999 B',
    '1.5 kB',
    '2.5 MB',
    '268 MB',
    '72 GB',
    '3000 TB',
  ])
})
