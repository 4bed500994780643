import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { runCommandLine } from '../../src/cli/run.ts'
import { loadConfig } from '../../src/config/load.ts'
import { refuse } from '../../src/domain/refusal.ts'
import { ForeignHistoryUnreadable, type ForeignHistory, type ForeignWatch } from '../../src/ports/foreign-history.ts'
import { standInCommands, type StandIn } from '../fixtures/stand-in-commands.ts'

const WATCH: ForeignWatch = {
  user: '7',
  tmdb: null,
  imdb: 'tt0088846',
  title: 'Brazil',
  year: 1985,
  watchedAt: '2020-03-01T20:00:00.000Z',
  plays: 1,
  watchedMs: 0,
  positionMs: null,
}

const OF_TWO: ForeignHistory = {
  description: 'Jellyfin database',
  users: [
    { id: '7', name: 'ANN' },
    { id: '8', name: 'Guest' },
  ],
  watches: [WATCH, { ...WATCH, user: '8' }, { ...WATCH, title: 'Heat', year: 1995 }],
  undated: 2,
}

/** Runs without a server, on the files of a data folder, with these commands. */
async function run(
  t: { testdir(): string },
  args: readonly string[],
  { history = OF_TWO, commands = standInCommands(), folder = t.testdir() } = {},
) {
  const said: string[] = []
  const complaints: string[] = []
  mkdirSync(join(folder, 'data'), { recursive: true })
  const read: string[] = []
  const code = await runCommandLine({
    args,
    load: () => loadConfig({ env: { MARQUEE_DATA_DIR: join(folder, 'data') }, folder: '/nowhere' }),
    openOffline: async ({ folder: owned }) => ({ ...commands, close: async () => owned.release() }),
    openStopped: () => Promise.reject(new Error('not asked for')),
    openLogCopy: () => Promise.reject(new Error('not asked for')),
    restoreBackup: () => Promise.reject(new Error('not asked for')),
    moveLog: () => Promise.reject(new Error('not asked for')),
    readForeignHistory: async (program, file) => {
      read.push(`${program} ${file}`)
      if (file.endsWith('.txt')) throw new ForeignHistoryUnreadable('This is no database')
      return history
    },
    terminal: { print: (line) => said.push(line), complain: (line) => complaints.push(line), askHidden: async () => undefined },
    clock: createSystemClock(),
    askServers: async () => ({ asked: 0, away: [] }),
    signal: new AbortController().signal,
    folder,
  })
  return { code, said: said.join('\n'), complaints: complaints.join('\n'), read, folder, commands }
}

const asksOf = ({ asked }: StandIn) => asked.filter(([command]) => command === 'importHistory').map(([, ask]) => ask)

t.test('a dry run says what would come of it, and writes down who is who', async (t) => {
  const { code, said, folder, commands, read } = await run(t, ['import', 'jellyfin', 'jellyfin.db', '--dry-run'])
  t.equal(code, 0)
  t.strictSame(read, [`jellyfin ${join(folder, 'jellyfin.db')}`])
  t.match(said, 'Jellyfin database: 3 viewings of 2 users.')
  t.match(said, '2 movies marked as watched at no known time: left out.')
  t.match(said, /ANN +ann@example\.org\nGuest +-/)
  t.match(said, 'Left out, because they have no account here: Guest.')
  t.match(said, 'ANN -> ann@example.org: 1 would be imported, 0 known before, 1 without a movie here.')
  t.match(said, '  Brazil (1985): several movies fit')
  t.notMatch(said, 'To take it back')
  t.strictSame(JSON.parse(readFileSync(join(folder, 'marquee-import-jellyfin.json'), 'utf8')), {
    users: [
      { id: '7', name: 'ANN', account: 'ann@example.org' },
      { id: '8', name: 'Guest', account: null },
    ],
  })
  t.match(asksOf(commands), [{ user: 'ann@example.org', source: 'jellyfin', importId: null, dryRun: true, items: { length: 2 } }])
})

t.test('what a dry run wrote is not written over', async (t) => {
  const folder = t.testdir({ 'marquee-import-plex.json': 'mine' })
  const { said } = await run(t, ['import', 'plex', 'x.db', '--dry-run'], { folder })
  t.match(said, 'is there already and stays as it is')
  t.equal(readFileSync(join(folder, 'marquee-import-plex.json'), 'utf8'), 'mine')
})

t.test('an import says how to take it back, and the file says whose history is whose', async (t) => {
  const folder = t.testdir()
  const users = [
    { id: '7', name: 'ANN', account: null },
    { id: '8', name: 'Guest', account: 'guest@example.org' },
  ]
  writeFileSync(join(folder, 'users.json'), JSON.stringify({ users }))
  const { code, said, commands } = await run(t, ['import', 'jellyfin', 'x.db', '--users', 'users.json'], { folder })
  t.equal(code, 0)
  t.match(said, 'Left out, because they have no account here: ANN.')
  t.match(said, 'npm run marquee -- import undo guest@example.org iiiiiiiiiiiiiiiiiiiii')
  t.match(asksOf(commands), [{ user: 'guest@example.org', dryRun: false, items: [{ title: 'Brazil' }] }])
})

t.test('many items go in several requests of one import', async (t) => {
  const watches = Array.from({ length: 450 }, (_, n) => ({ ...WATCH, title: `Film ${n}` }))
  const { said, commands } = await run(t, ['import', 'kodi', 'x.db', '--user', 'ann@example.org'], {
    history: { ...OF_TWO, users: [{ id: '7', name: 'kodi' }], watches, undated: 0 },
  })
  t.match(
    asksOf(commands).map((ask) => ({ ...Object(ask), items: Object(ask).items.length })),
    [
      { importId: null, items: 200 },
      { importId: 'iiiiiiiiiiiiiiiiiiiii', items: 200 },
      { importId: 'iiiiiiiiiiiiiiiiiiiii', items: 50 },
    ],
  )
  t.match(said, '447 imported, 0 known before, 3 without a movie here')
  t.match(said, '400 of 450')
})

t.test('an import asks whose history is whose, and reports files that it cannot read', async (t) => {
  const unsaid = await run(t, ['import', 'jellyfin', 'x.db'])
  t.equal(unsaid.code, 1)
  t.match(unsaid.complaints, 'Run it once with --dry-run')
  t.strictSame(asksOf(unsaid.commands), [])
  const one = await run(t, ['import', 'jellyfin', 'x.db', '--user', 'ann@example.org'])
  t.match(one, { code: 1, complaints: 'There are 2 users' })
  t.match(await run(t, ['import', 'netflix', 'x.db']), { code: 2, complaints: 'jellyfin, plex, kodi' })
  t.match(await run(t, ['import', 'plex', 'x.txt']), { code: 1, complaints: 'This is no database' })
  t.match(await run(t, ['import', 'plex', 'x.db', '--user', 'a', '--users', 'b']), { code: 2 })
  for (const text of ['{', '[]', '{"users":[{"id":7}]}']) {
    const folder = t.testdir({ 'users.json': text })
    t.match(await run(t, ['import', 'plex', 'x.db', '--users', 'users.json'], { folder }), { code: 1, complaints: 'must hold' })
  }
})

t.test('nothing is imported by a guess if the file of users is not there', async (t) => {
  const history = { ...OF_TWO, users: [{ id: '7', name: 'ANN' }] }
  const done = await run(t, ['import', 'jellyfin', 'x.db', '--users', 'typo.json'], { history })
  t.match(done, { code: 1, complaints: /^There is no file .*typo\.json: run it once with --dry-run/ })
  t.strictSame(asksOf(done.commands), [])
})

t.test('a refusal ends the import and names what is wrong', async (t) => {
  const commands = standInCommands({
    importHistory: async () => refuse('invalid', 'This time is in the future', { path: 'items.3.watchedAt' }),
  })
  const done = await run(t, ['import', 'jellyfin', 'x.db', '--dry-run'], { commands })
  t.match(done, { code: 1, complaints: 'This time is in the future (items.3.watchedAt)' })
})

t.test('an import is undone by its id', async (t) => {
  const { code, said, commands } = await run(t, ['import', 'undo', 'ann@example.org', 'iiiiiiiiiiiiiiiiiiiii'])
  t.equal(code, 0)
  t.match(said, 'is undone')
  t.match(commands.asked, [['undoImport', { user: 'ann@example.org', importId: 'iiiiiiiiiiiiiiiiiiiii' }]])
})
