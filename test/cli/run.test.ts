import t from 'tap'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import type { OperatorCommands } from '../../src/app/operator/operator-commands.ts'
import type { OpenOffline } from '../../src/process/open-offline.ts'
import { openLogCopy } from '../../src/wiring/log-copy.ts'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { runCommandLine } from '../../src/cli/run.ts'
import { answersOf } from '../../src/command-socket/answers.ts'
import { listenForCommands } from '../../src/command-socket/listen.ts'
import { socketPlace } from '../../src/command-socket/socket-place.ts'
import { loadConfig } from '../../src/config/load.ts'
import { ownDataFolder } from '../../src/process/data-folder.ts'
import { refuse } from '../../src/domain/refusal.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { standInCommands } from '../fixtures/stand-in-commands.ts'

const systemClock = createSystemClock()

interface Setting {
  readonly dataDir: string
  readonly openOffline?: OpenOffline
  readonly typed?: string
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

/** Runs one command line; returns its exit code and output. */
async function run(args: readonly string[], { dataDir, openOffline = noFiles, typed, clock = systemClock, signal }: Setting) {
  const lines: string[] = []
  const complaints: string[] = []
  const code = await runCommandLine({
    args,
    load: () => loadConfig({ env: { MARQUEE_DATA_DIR: dataDir, MARQUEE_PORT: '0' }, folder: '/nowhere' }),
    openOffline,
    openStopped: noFiles,
    openLogCopy,
    restoreBackup: noRestore,
    moveLog: noMove,
    askServers: async () => ({ asked: 0, away: [] }),
    readForeignHistory: noHistory,
    terminal: { print: (line) => lines.push(line), complain: (line) => complaints.push(line), askHidden: async () => typed },
    clock,
    signal: signal ?? new AbortController().signal,
    folder: '/home/ann',
  })
  return { code, lines, complaints }
}

const noHistory = (): Promise<never> => Promise.reject(new Error('a history was read'))
const noMove = (): Promise<never> => Promise.reject(new Error('a log was moved'))
const noRestore = (): Promise<never> => Promise.reject(new Error('a backup was restored'))
const noFiles: OpenOffline = () => Promise.reject(new Error('the files were opened'))

/** A data folder owned by a server, which answers with these commands. */
async function withServer(t: { teardown(end: () => unknown): void; testdir(): string }, commands: OperatorCommands): Promise<string> {
  const dataDir = t.testdir()
  const listener = await listenForCommands({ place: socketPlace(dataDir), handle: answersOf(commands), clock: systemClock })
  t.teardown(() => listener.close())
  return dataDir
}

t.test('help lists the commands, also those of one word only', async (t) => {
  const dataDir = t.testdir()
  const { code, lines } = await run(['help'], { dataDir })
  t.equal(code, 0)
  for (const words of ['user add <email>', 'user list', 'library list', 'library add', 'library scan', 'play <movie', 'verify'])
    t.match(lines[0], words)
  t.notMatch((await run(['help', 'user'], { dataDir })).lines[0], 'library add')
  t.match(await run(['--help'], { dataDir }), { code: 0 })
  t.match(await run([], { dataDir }), { code: 2, lines: [/user add/] })
})

t.test('README names every command', (t) => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const missing = COMMANDS.filter(({ words }) => !readme.includes(`\`${words}\``))
  t.strictSame(
    missing.map(({ words }) => words),
    [],
  )
  t.end()
})

const USER_WORDS =
  'user is one of: user add, user list, user password, user grant, user disable, user enable, user reset-second-factor, user erase, user change, user remove, user allow-link, user forbid-link.'

t.test('what is not understood is answered in one line, and nothing is done', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const cases: readonly (readonly [line: string, complaint: string])[] = [
    ['dance', 'There is no command dance.'],
    ['user', USER_WORDS],
    ['user dance', USER_WORDS],
    ['user add ann@example.org', '--name is missing. Usage: user add <email>'],
    ['user add --name Ann', 'An argument is missing. Usage: user add'],
    ['user list all', 'all is one argument too many. Usage: user list'],
    ['user list --all', "Unknown option '--all'"],
    ['user change a@b --streams -1', '--streams has no value; one that begins with a dash is given as --streams=-1. Usage: user change'],
    ['user change a@b --streams', "Option '--streams <value>' argument missing. Usage: user change"],
    ['user add a@b --name A --role king --password x', '--role is admin or user.'],
    ['webhook add http://a/ --events movie.added,nope', 'Each of --events must be *, a group such as movie.*, or one of library.created'],
    ['library add Films', 'An argument is missing.'],
  ]
  for (const [line, complaint] of cases) {
    const { code, complaints } = await run(line.split(' '), { dataDir })
    t.equal(code, 2, line)
    t.match(complaints, [complaint])
    t.notMatch(complaints[0], '\n')
  }
  t.strictSame(commands.asked, [])
})

t.test('doctor needs no data folder, and prints the same as JSON', async (t) => {
  const dataDir = join(t.testdir(), 'not-there-yet')
  const { code, lines } = await run(['doctor'], { dataDir })
  t.equal(code, 0)
  t.match(lines, [/^ok +settings/, /^ok +data folder .*first start/])
  const json = await run(['doctor', '--json'], { dataDir })
  t.match(JSON.parse(json.lines[0] ?? ''), { findings: [{ check: 'settings', state: 'ok' }] })
})

t.test('users are listed and added by the running server', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const listed = await run(['user', 'list'], { dataDir })
  t.strictSame(listed.lines, [
    'ID                     E-MAIL           NAME     ROLE',
    'uuuuuuuuuuuuuuuuuuuuu  ann@example.org  Ann[31m  admin  disabled',
  ])
  const added = await run(['user', 'add', 'bob@example.org', '--name', 'Bob', '--password', 'hunter2222', '--role', 'admin'], { dataDir })
  t.match(added, { code: 0, lines: ['Made the account of bob@example.org (admin), uuuuuuuuuuuuuuuuuuuuu.'] })
  t.strictSame(commands.asked, [
    ['listUsers'],
    ['addUser', { email: 'bob@example.org', name: 'Bob', password: 'hunter2222', role: 'admin' }],
  ])
})

t.test('accounts are changed by the running server', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const said = async (line: string) => (await run(line.split(' '), { dataDir })).lines
  t.match(await said('user password ann@example.org --password hunter2222'), [/password of ann@example.org is changed/])
  t.match(await said('user grant ann@example.org Films Series'), ['ann@example.org sees Films, Series.'])
  t.match(await said('user grant ann@example.org all'), ['ann@example.org sees all libraries.'])
  t.match(await said('user grant ann@example.org none'), ['ann@example.org sees no library.'])
  t.match(await said('user disable ann@example.org'), [/is disabled/])
  t.match(await said('user enable ann@example.org'), [/may sign in again/])
  t.match(await said('user reset-second-factor ann@example.org'), [/password alone/])
  t.match(await said('user erase ann@example.org'), [/removed/])
  const user = 'ann@example.org'
  t.strictSame(commands.asked, [
    ['setPassword', { user, password: 'hunter2222' }],
    ['grantLibraries', { user, libraries: ['Films', 'Series'] }],
    ['grantLibraries', { user, libraries: 'all' }],
    ['grantLibraries', { user, libraries: [] }],
    ['enableUser', { user, enabled: false }],
    ['enableUser', { user, enabled: true }],
    ['resetSecondFactor', { user }],
    ['eraseUser', { user }],
  ])
  const refused = await run(['user', 'password', 'nobody', '--password', 'hunter2222'], { dataDir })
  t.match(refused, { code: 1, complaints: ['There is no user nobody'] })
})

t.test('all and none among libraries are names of libraries, which is said if there are none of that name', async (t) => {
  const grantLibraries = async () => refuse('not-found', 'There is no library "all"')
  const dataDir = await withServer(t, standInCommands({ grantLibraries }))
  const only = 'For all libraries, or none, give only that word.'
  const grant = (...names: string[]) => run(['user', 'grant', 'ann@example.org', ...names], { dataDir })
  t.match(await grant('all', 'none'), { code: 1, complaints: ['There is no library "all"', only] })
  t.strictSame((await grant('Films', 'Series')).complaints, ['There is no library "all"'])
})

t.test('access tokens are made, listed and ended by the running server', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const user = 'ann@example.org'
  const made = await run(['token', 'add', user, '--name', 'Script', '--scopes', 'playback,read', '--days', '30'], { dataDir })
  t.match(made, { code: 0, lines: ['mqt_secret', /not shown again/] })
  t.match((await run(['token', 'list', user], { dataDir })).lines, [/^ID/, /Script +read,playback +2026-04-02T12:00:00.000Z +never/])
  t.match(await run(['token', 'revoke', user, 'ttttttttttttttttttttt'], { dataDir }), { code: 0, lines: [/has ended/] })
  t.match(await run(['token', 'revoke', user, 'gone'], { dataDir }), { code: 1, complaints: ['There is no such access token'] })
  t.strictSame(commands.asked[0], ['addToken', { user, name: 'Script', scopes: ['read', 'playback'], days: 30 }])
  for (const wrong of [
    ['--scopes', 'root'],
    ['--scopes', 'read,'],
    ['--days', '0'],
    ['--days', '367'],
    ['--days', 'soon'],
    ['--name', ' '],
  ])
    t.equal((await run(['token', 'add', user, '--name', 'Script', ...wrong], { dataDir })).code, 2, wrong.join(' '))
})

t.test('a password that is not given is asked for and never printed', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const added = await run(['user', 'add', 'bob@example.org', '--name', 'Bob'], { dataDir, typed: 'typed-secret' })
  t.match(commands.asked, [['addUser', { password: 'typed-secret', role: 'user' }]])
  t.notMatch(JSON.stringify(added), 'typed-secret')
  t.match(await run(['user', 'add', 'bob@example.org', '--name', 'Bob'], { dataDir }), { code: 2, complaints: [/--password/] })
})

t.test('libraries are listed, and added with folders that count from where the person stands', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const { lines } = await run(['library', 'list'], { dataDir })
  t.match(lines[1], /^l{21}  Films  offline  812 \(3 missing\)  \/media\/films, \/mnt\/away \(not there\)$/)
  await run(['library', 'add', 'Films', 'films', '/media/more'], { dataDir })
  t.strictSame(commands.asked[1], ['addLibrary', { name: 'Films', paths: ['/home/ann/films', '/media/more'] }])
  t.match(await run(['library', 'add', 'Twice', '/a', '/a'], { dataDir }), { code: 1, complaints: ['Twice the same folder'] })
})

t.test('a folder that is not there, or is a file, is added with a warning', async (t) => {
  const dataDir = await withServer(t, standInCommands())
  const file = join(dataDir, 'a file')
  writeFileSync(file, '')
  t.strictSame(await run(['library', 'add', 'Films', dataDir, '/no such/films', file], { dataDir }), {
    code: 0,
    lines: ['Made the library Films, lllllllllllllllllllll.'],
    complaints: [
      '/no such/films does not exist at the moment: its films are found when it is there.',
      `${file} is not a folder: no film is found there.`,
    ],
  })
})

t.test('sessions of all users are listed and ended by the running server', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const { lines } = await run(['session', 'list'], { dataDir })
  t.match(lines, [/^ID/, /^x +Ann +- +A Film +playing +1:02:03 of 2:00:00$/])
  t.match(await run(['session', 'end', 'x/y', '--message', 'Good night'], { dataDir }), { code: 0, lines: ['The session x/y is ended.'] })
  const path = '/v1/admin/playback/sessions/x%2Fy/terminate'
  t.strictSame(commands.asked, [
    ['callApi', { method: 'GET', path: '/v1/playback/sessions/active?scope=all&limit=100', body: null }],
    ['callApi', { method: 'POST', path, body: '{"message":"Good night"}' }],
  ])
})

t.test('a scan is followed to its end, a line for each tenth of the way', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const { code, lines } = await run(['library', 'scan', 'My', 'Films'], { dataDir })
  t.equal(code, 0)
  t.strictSame(commands.asked, [['scanLibrary', 'My Films']])
  t.strictSame(lines, [
    'walking',
    'probing: 1 of 812',
    'probing: 300 of 812',
    'probing: 812 of 812',
    'The scan is completed: 812 files, 4 new, 1 changed, 2 missing, 0 back again, 1 problem.',
    '  broken.mkv: Probe timed out',
  ])
})

t.test('a scan of a folder that is not there names it, and what to do', async (t) => {
  const scanLibrary = async () => ({ state: 'failed', counts: noCounts, errors: [], error: 'root_unavailable' })
  const dataDir = await withServer(t, standInCommands({ scanLibrary }))
  t.match(await run(['library', 'scan', 'films'], { dataDir }), {
    code: 1,
    lines: [/^The scan is failed: \/mnt\/away is not there\. Mount the drive, or name other folders in the library's settings/],
  })
})

t.test('a failed scan and a broken chain end with exit code 1', async (t) => {
  const broken = { stream: 'movie-x', revision: 3, reason: 'the hash is another one' }
  const dataDir = await withServer(
    t,
    standInCommands({
      scanLibrary: async () => ({ state: 'failed', counts: noCounts, errors: [], error: 'a folder is not there' }),
      verify: async () => ({ streams: 12, events: 5300, problems: [broken], faults: [], first: null, notes: NO_NOTES }),
    }),
  )
  t.match(await run(['library', 'scan', 'Films'], { dataDir }), { code: 1, lines: ['The scan is failed: a folder is not there.'] })
  t.match(await run(['verify'], { dataDir }), {
    code: 1,
    complaints: ['5300 events in 12 streams: 1 broken link.', '  movie-x, event 3: the hash is another one'],
  })
})
const NO_NOTES = { compared: 0, skipped: 0, torn: 0 }
const noCounts = { seen: 0, added: 0, updated: 0, moved: 0, missing: 0, restored: 0, unchanged: 0, ignored: 0, errors: 0 }

t.test('verify says what it looked at', async (t) => {
  const dataDir = await withServer(t, standInCommands())
  t.match(await run(['verify'], { dataDir }), { code: 0, lines: ['5000 events so far', '5300 events in 12 streams: every chain holds.'] })
})

t.test('--key repeats, and names keys or files of them', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const [notes, keys] = [join(dataDir, 'checkpoints'), join(dataDir, 'keys')]
  writeFileSync(notes, 'notes')
  writeFileSync(keys, '# of the first year\nmarquee/a+01234567+AQID\n\nmarquee/a+01234568+AQIE\n')
  const { code } = await run(['verify', '--checkpoint', notes, '--key', 'marquee/a+01234569+AQIF', '--key', keys], { dataDir })
  t.equal(code, 0)
  t.strictSame(commands.asked, [
    ['verify', { checkpoints: 'notes', keys: ['marquee/a+01234569+AQIF', 'marquee/a+01234567+AQID', 'marquee/a+01234568+AQIE'] }],
  ])
})

t.test('verify refuses a key without checkpoints, which it could verify nothing with', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  t.match(await run(['verify', '--key', 'garbage'], { dataDir }), { code: 2, lines: [], complaints: [/^--key needs --checkpoint/] })
  t.strictSame(commands.asked, [])
})

t.test('key rotate prints the new key, and what to do with it', async (t) => {
  const dataDir = await withServer(t, standInCommands())
  t.match(await run(['key', 'rotate'], { dataDir }), { code: 0, lines: [/marquee\/0123456789abcdef\+01234567\+AQID$/, /Keep it/] })
})

t.test('replay prints what the server knew', async (t) => {
  const dataDir = await withServer(t, standInCommands())
  t.strictSame(await run(['replay', '--until', 'seq:812'], { dataDir }), {
    code: 0,
    lines: [
      'After event 812, of 2026-01-02T12:00:00.000Z:',
      '2 users',
      '  Ann[31m, administrator',
      '  Ben, disabled',
      '1 library',
      '  Films: 812 movies, 3 missing',
      '2 viewings in the history, 1.5 hours watched',
      '  2026-01-02T11:00:00.000Z  Ben: Alien (1979), 40 %, going on',
      '  2026-01-01T11:00:00.000Z  Ann: a movie',
    ],
    complaints: [],
  })
  t.match(await run(['replay', '--until', 'seq:0'], { dataDir }), { code: 0, lines: [/Nothing had happened yet/, /0 users/] })
  t.match(await run(['replay'], { dataDir }), { code: 2, complaints: [/--until is missing/] })
})

t.test('replay says what is wrong with a time', async (t) => {
  const dataDir = await withServer(
    t,
    standInCommands({ replay: async () => refuse('invalid', 'This time is in the future', { path: 'until' }) }),
  )
  t.match(await run(['replay', '--until', '2999-01-01T00:00:00Z'], { dataDir }), {
    code: 2,
    complaints: ['--until 2999-01-01T00:00:00Z: This time is in the future'],
  })
})

/** A clock whose sleeps end at once, this many times; then the signal is aborted. */
function hurried(beats: number): { clock: Clock; signal: AbortSignal; slept: number[] } {
  const stop = new AbortController()
  const slept: number[] = []
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (slept.length === beats) stop.abort()
    signal?.throwIfAborted()
    slept.push(ms)
  }
  return { clock: { ...systemClock, sleep }, signal: stop.signal, slept }
}

t.test('play prints an address, beats every ten seconds, and ends the session on Ctrl-C', async (t) => {
  const commands = standInCommands()
  const dataDir = await withServer(t, commands)
  const { slept, ...time } = hurried(3)
  const { code, lines } = await run(['play', 'A', 'Film'], { dataDir, ...time })
  t.equal(code, 0)
  t.strictSame(slept, [10_000, 10_000, 10_000])
  t.match(lines[1], 'http://localhost:8420/api/stream/s1/master.m3u8?token=t')
  t.strictSame(commands.asked, [
    ['startPlay', 'A Film'],
    ['beatPlay', 's1'],
    ['beatPlay', 's1'],
    ['beatPlay', 's1'],
    ['endPlay', 's1'],
  ])
})

t.test('play ends when the server says that the session is over, or when the server is gone for too long', async (t) => {
  const over = await withServer(t, standInCommands({ beatPlay: async () => refuse('not-found', 'An administrator ended it') }))
  t.match(await run(['play', 'A Film'], { dataDir: over, ...hurried(5) }), { code: 1, complaints: [/An administrator ended it/] })
  const lost = t.testdir()
  const listener = await listenForCommands({
    place: socketPlace(lost),
    clock: systemClock,
    handle: answersOf(standInCommands({ beatPlay: () => Promise.reject(new Error('busy')) })),
  })
  t.match(await run(['play', 'A Film'], { dataDir: lost, ...hurried(50) }), { code: 1, complaints: [/connection to the server is lost/] })
  await listener.close()
})

t.test('a movie that is not found, and a play without a server, are reported in one line', async (t) => {
  const dataDir = await withServer(t, standInCommands({ startPlay: async () => refuse('not-found', 'No movie is called Nonsense') }))
  t.match(await run(['play', 'Nonsense'], { dataDir }), { code: 1, complaints: ['No movie is called Nonsense'] })
  t.match(await run(['play', 'A Film'], { dataDir: '/tmp' }), { code: 1, complaints: [/needs one: start it with `npm start --`/] })
})

t.test('without a server the files are opened, owned by this process, and closed again', async (t) => {
  const dataDir = t.testdir()
  let closed = 0
  const openOffline: OpenOffline = async ({ config, folder }) => {
    t.equal(config.dataDir, dataDir)
    t.equal(folder.path, dataDir)
    t.match(ownDataFolder(config), { problem: /in use/ })
    return { ...standInCommands(), close: async () => void closed++ }
  }
  t.match(await run(['user', 'list'], { dataDir, openOffline }), { code: 0, lines: { length: 2 } })
  t.equal(closed, 1)
  t.match(await run(['user', 'list'], { dataDir, openOffline: () => Promise.reject(new Error('no log there')) }), {
    code: 1,
    complaints: ['no log there'],
  })
  t.match(await run(['user', 'list'], { dataDir, openOffline }), { code: 0 }, 'the folder was given back')
})

t.test('a missing data folder is not created, and a folder in use by a silent server is reported', async (t) => {
  const dataDir = join(t.testdir(), 'none')
  t.match(await run(['user', 'list'], { dataDir }), { code: 1, complaints: [/There is no data folder .*none yet/] })
  mkdirSync(dataDir)
  const folder = ownDataFolder({ dataDir, blobs: undefined })
  t.match(await run(['user', 'list'], { dataDir }), { code: 1, complaints: [/in use by another Marquee process.*try again in a moment/] })
  if ('release' in folder) folder.release()
})

t.test('a scan that Ctrl-C stops is reported as stopped', async (t) => {
  const stop = new AbortController()
  const dataDir = await withServer(
    t,
    standInCommands({
      scanLibrary: (_name, step, signal) => {
        step({ state: 'walking', done: 0, total: null })
        stop.abort()
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }),
  )
  t.match(await run(['library', 'scan', 'Films'], { dataDir, signal: stop.signal }), { code: 1, complaints: ['Stopped.'] })
})

t.test('a server of another version is named as the reason', async (t) => {
  const dataDir = t.testdir()
  const answers = answersOf(standInCommands())
  const listener = await listenForCommands({
    place: socketPlace(dataDir),
    clock: systemClock,
    handle: ({ command, input }, context) => answers({ command: command === 'hello' ? command : 'unheardOf', input }, context),
  })
  t.match(await run(['user', 'list'], { dataDir }), { code: 1, complaints: [/another version.*restart it/] })
  await listener.close()
})

t.test('wrong settings stop a command as they stop the start', async (t) => {
  const load = () => loadConfig({ env: { MARQUEE_PORT: 'abc' }, folder: t.testdir() })
  const complaints: string[] = []
  const terminal = { print: () => {}, complain: (line: string) => complaints.push(line), askHidden: async () => undefined }
  const signal = new AbortController().signal
  const code = await runCommandLine({
    args: ['user', 'list'],
    load,
    openOffline: noFiles,
    openStopped: noFiles,
    openLogCopy,
    restoreBackup: noRestore,
    moveLog: noMove,
    askServers: async () => ({ asked: 0, away: [] }),
    readForeignHistory: noHistory,
    terminal,
    clock: systemClock,
    signal,
    folder: '/',
  })
  t.equal(code, 1)
  t.match(complaints, [/^MARQUEE_PORT=abc is invalid/])
})
