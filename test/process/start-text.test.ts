import t from 'tap'
import type { NetworkInterfaceInfo } from 'node:os'
import { oneLine, startFailure } from '../../src/process/start-failure.ts'
import { reachableAddresses } from '../../src/process/reachable-addresses.ts'
import { startText } from '../../src/process/start-text.ts'
import type { StartFacts } from '../../src/process/start-text.ts'

const facts: StartFacts = {
  addresses: ['http://localhost:8420', 'http://192.168.1.5:8420'],
  publicUrl: undefined,
  firstAdmin: undefined,
  dataFolder: '/srv/marquee/data',
  programs: { ffmpeg: '/usr/bin/ffmpeg', version: '5.1.9', source: 'path' },
  libraries: [],
  onlineHost: undefined,
  checkpointKey: 'marquee/e6f90f0acb4fa9a0+df09302f+Ad8=',
}
const library = {
  id: 'l',
  name: 'Films',
  state: 'idle',
  movieCount: 812,
  missingCount: 0,
  roots: [{ path: '/media/films', available: true }],
} as const

t.test('the start-up text says where to go, what is there, and how to stop', async (t) => {
  t.equal(
    startText(facts),
    `
Marquee is running.

Go to:  http://localhost:8420
   or:  http://192.168.1.5:8420
The API and how to use it: http://localhost:8420/docs

No library yet. Start with \`npm start -- --media <folder>\` to add a folder of films.
Films are read with ffmpeg 5.1.9 (/usr/bin/ffmpeg).
Online metadata is off: a key of The Movie Database in MARQUEE_TMDB_KEY turns it on.
Everything is kept in /srv/marquee/data: back that folder up.
Checkpoints of the audit log are signed with the key marquee/e6f90f0acb4fa9a0+df09302f+Ad8=
Ctrl-C stops the server.
`,
  )
})

t.test('if the first sign-up creates the administrator, the text states that until then', async (t) => {
  t.match(startText({ ...facts, awaitsFirst: true }), /the first person to sign up .* becomes the administrator/)
  t.notMatch(startText(facts), /signs up/)
})

t.test('the random password of the first account stands in a frame', async (t) => {
  const text = startText({ ...facts, firstAdmin: { email: 'admin@localhost', password: 'k7FqW2mZ9xRt' } })
  t.match(
    text,
    `
+---------------------------------------+
| The first account:                    |
|   e-mail    admin@localhost           |
|   password  k7FqW2mZ9xRt              |
| Write it down: it is not shown again. |
+---------------------------------------+
`,
  )
})

t.test('a password that was given is not shown, and a later start says nothing of passwords', async (t) => {
  const text = startText({ ...facts, firstAdmin: { email: 'ann@example.org' } })
  t.match(text, 'ann@example.org')
  t.match(text, 'the one in MARQUEE_ADMIN_PASSWORD')
  t.notMatch(startText(facts), /password/i)
})

t.test('each library has its line', async (t) => {
  const libraries = [library, { ...library, name: 'Kids\u0007', state: 'scanning', movieCount: 1, missingCount: 2 } as const]
  const text = startText({ ...facts, libraries })
  t.match(text, '\nLibrary Films: 812 films (/media/films)\n')
  t.match(text, '\nLibrary Kids: 1 film, 2 missing, being scanned now (/media/films)\n')
  t.match(
    startText({ ...facts, libraries: [{ ...library, state: 'offline' }] }),
    'Films: 812 films, not all of its folders can be reached (',
  )
})

t.test('the public address, the packaged ffmpeg and a missing one are named', async (t) => {
  t.match(startText({ ...facts, publicUrl: 'https://films.example' }), '   or:  https://films.example\n')
  t.match(startText({ ...facts, programs: { ffmpeg: '/m/ffmpeg', version: '7.0', source: 'packaged' } }), '(/m/ffmpeg, the packaged one)')
  t.match(startText({ ...facts, programs: { problem: 'Install ffmpeg.' } }), 'Films cannot be read yet: Install ffmpeg.')
})

const address = (text: string, family: 'IPv4' | 'IPv6', internal = false): NetworkInterfaceInfo =>
  family === 'IPv4'
    ? { address: text, family, internal, netmask: '', mac: '', cidr: null }
    : { address: text, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }
const interfaces = {
  lo: [address('127.0.0.1', 'IPv4', true), address('::1', 'IPv6', true)],
  eth0: [address('192.168.1.5', 'IPv4'), address('fe80::1', 'IPv6')],
  docker0: [address('172.17.0.1', 'IPv4')],
  gone: undefined,
}

t.test('a server that listens everywhere is reached by this machine and by the others', async (t) => {
  t.strictSame(reachableAddresses({ host: '0.0.0.0', port: 8420, interfaces }), ['http://localhost:8420', 'http://192.168.1.5:8420'])
  t.strictSame(reachableAddresses({ host: '::', port: 1, interfaces: {} }), ['http://localhost:1'])
})

t.test('a server that listens on one address is reached there', async (t) => {
  t.strictSame(reachableAddresses({ host: '127.0.0.1', port: 99, interfaces }), ['http://127.0.0.1:99'])
  t.strictSame(reachableAddresses({ host: '::1', port: 99, interfaces }), ['http://[::1]:99'])
})

const failure = (more: object) => startFailure(Object.assign(new Error('oh'), more), { host: '10.1.1.1', port: 80 })

t.test('a failed start says what to do where that is known', async (t) => {
  t.match(failure({ code: 'EADDRINUSE' }), /^Port 80 is taken/)
  t.match(failure({ code: 'EADDRNOTAVAIL' }), /^MARQUEE_HOST=10\.1\.1\.1 is not an address of this machine/)
  t.match(failure({ code: 'EACCES', syscall: 'listen' }), /may not listen on port 80/)
  t.match(failure({ code: 'EACCES', syscall: 'open' }), /^The server could not start: oh/)
  t.match(failure({ code: 'ENOSPC' }), /^The disk is full/)
})

t.test('an error becomes one line, with its place', async (t) => {
  t.match(oneLine(new TypeError('a\n b')), /^TypeError: a b \(\/.*start-text\.test\.ts:\d+:\d+\)$/)
  t.equal(oneLine('only\ntext'), 'only text')
  t.match(oneLine(new Error('No answer', { cause: new Error('refused\nthere') })), /^No answer: refused there \(/)
})

t.test('while nobody has signed in as the first account, later starts say how to set its password', async (t) => {
  t.match(
    startText({ ...facts, unusedAccount: 'admin@localhost' }),
    '\nNobody has signed in as admin@localhost yet. If its password is unknown, set one: npm run marquee -- user password admin@localhost\n',
  )
  t.notMatch(startText(facts), 'Nobody has signed in')
})

t.test('it says whom it asks about films', async (t) => {
  const text = startText({ ...facts, onlineHost: 'api.themoviedb.org' })
  t.match(text, '\nOnline metadata is on: films are looked up at api.themoviedb.org.\n')
  t.notMatch(text, 'Online metadata is off')
})

t.test('an API node whose log and vault are on servers does not call its data folder the one to back up', async (t) => {
  const text = startText({ ...facts, onServers: ['MARQUEE_EVENT_LOG', 'MARQUEE_VAULT'] })
  t.notMatch(text, /Everything is kept/)
  t.match(
    text,
    /Back up the event log on its server \(MARQUEE_EVENT_LOG\) and the vault on its server \(MARQUEE_VAULT\); everything in .* can be rebuilt\./,
  )
  t.match(startText({ ...facts, onServers: ['MARQUEE_EVENT_LOG'] }), 'Back up the folder /srv/marquee/data and the event log on its server')
})

t.test('a stack of a million blank lines is put into one line at once', (t) => {
  const cause = new Error('oh')
  cause.stack = `Error: oh${'\n'.repeat(1_000_000)}.\n    at run (file:///srv/a.ts:1:2)\n`
  t.equal(oneLine(cause), 'oh (/srv/a.ts:1:2)')
  t.end()
})
