/** `--json`: one line that holds what the command knows, and nothing about its progress. */
import t from 'tap'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { runCommandLine } from '../../src/cli/run.ts'
import { loadConfig } from '../../src/config/load.ts'
import { refuse } from '../../src/domain/refusal.ts'
import type { ForeignHistory } from '../../src/ports/foreign-history.ts'
import { answersOf } from '../../src/command-socket/answers.ts'
import { listenForCommands } from '../../src/command-socket/listen.ts'
import { socketPlace } from '../../src/command-socket/socket-place.ts'
import { standInCommands, type StandIn } from '../fixtures/stand-in-commands.ts'

const HISTORY: ForeignHistory = {
  description: 'Jellyfin 10.9',
  users: [{ id: 'u1', name: 'Ann' }],
  watches: [
    {
      user: 'u1',
      tmdb: '1',
      imdb: null,
      title: 'Alien',
      year: 1979,
      watchedAt: '2026-01-01T00:00:00Z',
      plays: 1,
      watchedMs: 1,
      positionMs: null,
    },
  ],
  undated: 0,
}

const none = (): Promise<never> => Promise.reject(new Error('not asked for'))

async function run(
  t: { testdir(): string; teardown(end: () => unknown): void },
  args: readonly string[],
  commands: StandIn = standInCommands(),
) {
  const folder = t.testdir()
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const listener = await listenForCommands({ place: socketPlace(dataDir), handle: answersOf(commands), clock: createSystemClock() })
  const [lines, complaints] = [new Array<string>(), new Array<string>()]
  const code = await runCommandLine({
    args: [...args, '--json'],
    load: () => loadConfig({ env: { MARQUEE_DATA_DIR: dataDir, MARQUEE_PORT: '0' }, folder }),
    openOffline: none,
    openStopped: none,
    openLogCopy: none,
    restoreBackup: async ({ print }) => {
      print('Verifying the event log')
      return { id: 'b1', events: 5 }
    },
    moveLog: async ({ print }) => {
      print('Verifying the event log')
      return { events: 5, added: 5 }
    },
    readForeignHistory: async () => HISTORY,
    terminal: { print: (line) => lines.push(line), complain: (line) => complaints.push(line), askHidden: async () => undefined },
    clock: createSystemClock(),
    // `play` ends at once.
    askServers: async () => ({ asked: 0, away: [] }),
    signal: args[0] === 'play' ? AbortSignal.abort() : new AbortController().signal,
    folder,
  })
  await listener.close()
  return { code, lines, complaints }
}

const ANN = { email: 'ann@example.org', role: 'admin', enabled: false }

/** For each command: its arguments, and some of its data. */
const CASES: Readonly<Record<string, readonly [args: readonly string[], data: object]>> = {
  'user add': [['bob@example.org', '--name', 'Bob', '--password', 'hunter2222'], { id: 'uuuuuuuuuuuuuuuuuuuuu' }],
  'user list': [[], { users: [{ email: 'ann@example.org', role: 'admin', enabled: false }] }],
  'user password': [['ANN@example.org', '--password', 'hunter2222'], ANN],
  'user grant': [['uuuuuuuuuuuuuuuuuuuuu', 'all'], ANN],
  'user disable': [['ann@example.org'], ANN],
  'user enable': [['ann@example.org'], ANN],
  'user reset-second-factor': [['ann@example.org'], ANN],
  'user erase': [['ann@example.org'], {}],
  'user change': [['ann@example.org', '--role', 'user'], {}],
  'user remove': [['ann@example.org'], {}],
  'user allow-link': [['ann@example.org'], {}],
  'user forbid-link': [['ann@example.org'], {}],
  'token add': [['ann', '--name', 'Script'], { token: 'mqt_secret', id: 'ttttttttttttttttttttt' }],
  'token list': [['ann'], { tokens: [{ name: 'Script', scopes: ['read', 'playback'], lastUsedAt: null }] }],
  'token revoke': [['ann', 'ttttttttttttttttttttt'], {}],
  'library list': [[], { libraries: [{ name: 'Films', roots: [{ path: '/media/films', available: true }, {}] }] }],
  'library add': [['Films', '/'], { id: 'lllllllllllllllllllll' }],
  'library scan': [['Films'], { state: 'completed', counts: { seen: 812 }, errors: [{ file: 'broken.mkv' }] }],
  'library rename': [['Films', 'Movies'], {}],
  'library remove': [['Films'], {}],
  'library restore': [['Old'], {}],
  'session list': [[], { sessions: [{ id: 'x' }] }],
  'session end': [['x', '--message', 'Bye'], {}],
  'webhook list': [[], { webhooks: [{ id: 'x' }] }],
  'webhook add': [['https://a.example/'], {}],
  'webhook remove': [['x'], {}],
  'import undo': [['ann', 'iiiiiiiiiiiiiiiiiiiii'], {}],
  import: [
    ['jellyfin', 'x.db', '--user', 'ann'],
    { dryRun: false, imports: [{ user: 'ann', unmatched: [{ film: 'Alien (1979)', reason: 'ambiguous' }] }] },
  ],
  api: [['GET', '/v1/libraries'], { items: [{ id: 'x' }], nextCursor: null }],
  backup: [['all'], { id: '2026-01-02T12-00-00.000Z', events: 12_000, checkpoint: 'a note\n' }],
  restore: [['all', '--data', 'new'], { id: 'b1', events: 5, dataDir: /new$/ }],
  doctor: [[], { findings: [{ check: 'settings' }] }],
  'key rotate': [[], { verifier: /^marquee\// }],
  'move-log': [['a', 'b'], { events: 5, added: 5 }],
  play: [['A', 'Film'], { sessionId: 's1', urls: [/master\.m3u8/] }],
  rebuild: [['Old'], { name: 'Old' }],
  replay: [['--until', 'seq:812'], { seq: '812', users: [{ name: /Ann/ }, {}], watchedMs: 5_400_000 }],
  verify: [[], { streams: 12, events: 5300, problems: [], faults: [], first: null }],
}

t.test('every command is here, except one that prints a script', async (t) => {
  t.strictSame(
    COMMANDS.filter(({ printsScript }) => !printsScript)
      .map(({ words }) => words)
      .toSorted(),
    Object.keys(CASES).toSorted(),
  )
})

for (const [words, [args, data]] of Object.entries(CASES)) {
  t.test(`${words} --json prints one line, which is JSON`, async (t) => {
    const { code, lines, complaints } = await run(t, [...words.split(' '), ...args])
    t.strictSame(complaints, [])
    // Doctor's code depends on this machine.
    if (words !== 'doctor') t.equal(code, 0)
    t.equal(lines.length, 1)
    t.match(JSON.parse(lines[0] ?? ''), data)
  })
}

t.test('a refusal is a complaint, not JSON, and a log that does not verify is JSON with exit code 1', async (t) => {
  const refused = standInCommands({ backup: async () => refuse('conflict', 'A backup is being made already') })
  t.match(await run(t, ['backup', 'all'], refused), { code: 1, lines: [], complaints: [/being made already/] })
  const problems = [{ stream: 'movie-1', revision: 3, reason: 'Its hash does not fit' }]
  const broken = standInCommands({
    verify: async () => ({ streams: 1, events: 4, problems, faults: [], first: null, notes: { compared: 0, skipped: 0, torn: 0 } }),
  })
  const { code, lines, complaints } = await run(t, ['verify'], broken)
  t.match({ code, complaints, data: JSON.parse(lines[0] ?? '') }, { code: 1, complaints: [], data: { problems } })
})

t.test('a refusal of a command that only changes something is a complaint, too', async (t) => {
  t.match(await run(t, ['user', 'password', 'nobody', '--password', 'hunter2222']), {
    code: 1,
    lines: [],
    complaints: ['There is no user nobody'],
  })
  t.match(await run(t, ['token', 'revoke', 'ann', 'gone']), { code: 1, lines: [], complaints: ['There is no such access token'] })
})

t.test('a script is no data', async (t) => {
  t.match(await run(t, ['completion', 'bash']), { code: 2, complaints: [/Unknown option '--json'/] })
})
