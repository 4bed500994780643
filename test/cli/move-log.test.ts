import t from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { runCommandLine } from '../../src/cli/run.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { MoveLogAsk, MovedLog, MoveProblem } from '../../src/process/move-log.ts'

const none = (): Promise<never> => Promise.reject(new Error('not asked for'))

const ON_SERVERS = {
  MARQUEE_EVENT_LOG: 'esdb://host:2113?tls=false',
  MARQUEE_VAULT: 'mongodb://ann:canary@host:27017/vault',
  MARQUEE_SECRET: 'x'.repeat(32),
}
const ROOT_HASH = 'ab'.repeat(32)

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly moved?: MovedLog | MoveProblem
}

async function run(t: { testdir(): string }, args: readonly string[], { env = {}, moved = { events: 3, added: 2 } }: Given = {}) {
  const folder = t.testdir()
  writeFileSync(join(folder, 'address'), 'mongodb://ann:canary@host:27017/vault\n')
  const [lines, complaints, asks] = [new Array<string>(), new Array<string>(), new Array<MoveLogAsk>()]
  const code = await runCommandLine({
    args: ['move-log', ...args],
    load: () => loadConfig({ env: { MARQUEE_DATA_DIR: join(folder, 'data'), ...env }, folder }),
    openOffline: none,
    openStopped: none,
    openLogCopy: none,
    restoreBackup: none,
    readForeignHistory: none,
    moveLog: async (ask) => {
      asks.push(ask)
      ask.print('10000 events so far')
      return moved
    },
    terminal: { print: (line) => lines.push(line), complain: (line) => complaints.push(line), askHidden: none },
    clock: createSystemClock(),
    askServers: async () => ({ asked: 0, away: [] }),
    signal: new AbortController().signal,
    folder,
  })
  return { code, lines, complaints, ask: asks[0], folder }
}

t.test('a folder has its own vault and blobs, a server those that are named, and the uploads stay where they are', async (t) => {
  const { code, lines, ask, folder } = await run(t, ['sqlite:', 'esdb://host:2113?tls=false', '--to-vault', '@address'])
  t.equal(code, 0)
  const data = join(folder, 'data')
  t.strictSame(ask?.from, { log: { folder: data }, vault: { folder: data }, blobs: join(data, 'blobs') })
  t.strictSame(ask?.to, {
    log: { server: 'esdb://host:2113?tls=false' },
    vault: { server: 'mongodb://ann:canary@host:27017/vault' },
    blobs: join(data, 'blobs'),
  })
  t.equal(ask?.isLastStep, false)
  t.match(lines, [/10000 events so far/, /^3 events at both ends, 2 of them new there/, /run the same command with --finish/])
})

t.test('the last step says which settings to change, without a password, and that the old log must not go on', async (t) => {
  const moved = { events: 3, added: 0, moved: { root: ROOT_HASH, checkpoint: 'a note\n', uploads: 1, secretFile: '/srv/old/secret' } }
  const there = await run(t, ['old', 'esdb://bob:canary@host:2113?tls=false', '--to-vault', '@address', '--finish'], { moved })
  t.equal(there.ask?.isLastStep, true)
  const text = there.lines.join('\n')
  t.match(text, `both ends have the root ${ROOT_HASH}`)
  for (const line of [
    'MARQUEE_EVENT_LOG=esdb://bob:<password>@host:2113?tls=false',
    'MARQUEE_VAULT=mongodb://ann:<password>@host:27017/vault',
    `MARQUEE_BLOBS=${join(there.folder, 'old/blobs')}`,
    'MARQUEE_SECRET=<the content of /srv/old/secret>',
    `The log of ${join(there.folder, 'old')} is as it was. Never start a server on it again`,
  ])
    t.match(text, line)
  t.notMatch(text, 'canary')
})

t.test('back to files, the vault is that of the settings', async (t) => {
  const moved = { events: 3, added: 0, moved: { root: ROOT_HASH, checkpoint: 'a note\n', uploads: 1 } }
  const args = ['esdb://host:2113?tls=false', 'new', '--finish', '--json']
  const { ask, lines, folder } = await run(t, args, { env: ON_SERVERS, moved })
  t.match(ask?.from, { vault: { server: ON_SERVERS.MARQUEE_VAULT }, blobs: join(folder, 'data/blobs') })
  t.match(ask?.to, { vault: { folder: join(folder, 'new') }, blobs: join(folder, 'new/blobs') })
  t.equal(lines.length, 1, 'as JSON it prints nothing else')
  t.strictSame(JSON.parse(lines[0] ?? ''), {
    ...moved,
    settings: {
      MARQUEE_DATA_DIR: join(folder, 'new'),
      MARQUEE_EVENT_LOG: 'sqlite:',
      MARQUEE_VAULT: 'sqlite:',
      MARQUEE_READ_STORE: 'sqlite:',
    },
  })
})

t.test('what is not right is answered in one line, and nothing is moved', async (t) => {
  const cases: readonly (readonly [args: readonly string[], complaint: RegExp])[] = [
    [['a', 'a'], /are the same place/],
    [['http://host', 'a'], /<from> is invalid: give a data folder, .*esdb:\/\/host:2113/],
    [['a', 'esdb://host:2113'], /--to-vault is missing: give the vault of <to>/],
    [['a', 'esdb://host:2113', '--to-vault', 'mongodb://host'], /--to-vault is invalid/],
  ]
  for (const [args, complaint] of cases) {
    t.match(await run(t, args), { code: 2, complaints: [complaint], ask: undefined }, args.join(' '))
  }
  t.match(await run(t, ['a', 'b'], { moved: { problem: 'There is no event log a' } }), {
    code: 1,
    complaints: ['The log is not moved. There is no event log a.'],
  })
  t.match(await run(t, ['@none', 'b']), { code: 1, complaints: [/^The address cannot be read from .*none: it does not exist\./] })
})
