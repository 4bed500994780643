/** Opens data folders that earlier states of this repository wrote (`test/golden/data/`), with the code as it is now. */
import { rmSync } from 'node:fs'
import t from 'tap'
import { views } from '../../../projections/views/all.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { contentChecksum } from '../../../src/app/consistency/content-checksum.ts'
import { codeAt, fromBase32, stepAt } from '../../../src/app/accounts/totp.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import {
  dataFolderAt,
  holdDataFolder,
  JOURNALS,
  ownDataFolder,
  type FolderProblem,
  type OwnedFolder,
} from '../../../src/process/data-folder.ts'
import { openStopped } from '../../../src/wiring/log-copy.ts'
import { createMarquee, openOffline } from '../../../src/wiring/wiring.ts'
import { goldenDataNames, unpackGoldenData, type ShownByGolden } from '../../fixtures/golden-data.ts'
import { SETTINGS, signIn } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** For all folders, on a busy machine. */
t.setTimeout(1_800_000)

const never = new AbortController().signal

function configOf(dataDir: string) {
  const env = {
    ...SETTINGS,
    MARQUEE_DATA_DIR: dataDir,
    MARQUEE_HOST: '127.0.0.1',
    MARQUEE_PORT: '0',
    MARQUEE_LOG_LEVEL: 'warn',
  }
  const loaded = loadConfig({ env, folder: dataDir })
  if ('problems' in loaded) throw new Error(loaded.problems.join())
  return loaded.config
}

/** The films of every golden folder are gone, and on a busy machine the log may answer late. */
const EXPECTED = [/cannot be watched for changes \(ENOENT/, /^Waiting: /]

function owned(folder: OwnedFolder | FolderProblem): OwnedFolder {
  if ('problem' in folder) throw new Error(folder.problem)
  return folder
}

/** Starts a server on the folder, does something with it, and stops it; returns what it complained of. */
async function whileServed(dataDir: string, work: (url: string) => Promise<void>): Promise<readonly string[]> {
  const complaints: string[] = []
  const complain = console.error
  console.error = (...words) => void complaints.push(words.join(' '))
  const config = configOf(dataDir)
  const folder = owned(ownDataFolder(config))
  try {
    const marquee = await createMarquee({ config, folder })
    try {
      const { port } = await marquee.start()
      await work(`http://127.0.0.1:${port}`)
    } finally {
      await marquee.stop()
    }
  } finally {
    folder.release()
    console.error = complain
  }
  return complaints.filter((line) => !EXPECTED.some((expected) => expected.test(line)))
}

/** As `marquee verify` does on a stopped server. */
async function verified(dataDir: string) {
  const config = configOf(dataDir)
  const folder = owned(holdDataFolder(config))
  const log = await openStopped({ config, folder })
  try {
    const found = await log.verify({}, () => {}, never)
    if (isRefusal(found)) throw new Error(found.message)
    return { events: found.events, wrong: [...found.problems, ...found.faults, ...(found.first ? [found.first] : [])] }
  } finally {
    await log.close()
    folder.release()
  }
}

interface Seen {
  readonly movies: ShownByGolden['movies']
  /** Titles of the movies to continue. */
  readonly begun: readonly string[]
}

async function seenBy(url: string, token: string): Promise<Seen> {
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(30_000) })).json()
  const movies = (await ask('/v1/movies?limit=100')) as { items: ShownByGolden['movies'] }
  const continued = (await ask('/v1/playback/continue-watching')) as { items: { movie: { title: string } }[] }
  return {
    movies: movies.items.map(({ id, title, year, watched, position }) => ({ id, title, year, watched, position })),
    begun: continued.items.map(({ movie }) => movie.title),
  }
}

/** Signs in with a second factor; returns the status of the answer to its code. */
async function verifiedAt(url: string, { secret, ...account }: NonNullable<ShownByGolden['secured']>): Promise<number> {
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const { challenge } = (await (await post('/api/auth/sign-in/email', account)).json()) as { challenge: string }
  return (await post('/api/auth/two-factor/verify', { challenge, code: codeAt(fromBase32(secret), stepAt(Date.now())) })).status
}

/** Checksums of the views' documents, except those that record how the audit's last events came in batches. */
async function checksums(dataDir: string): Promise<Readonly<Record<string, string | undefined>>> {
  const all = createSqliteReadStore({ file: dataFolderAt(dataDir).readModels, untouched: true })
  const store: Pick<ReadStore, 'checkpoint' | 'find'> = {
    checkpoint: (name) => all.checkpoint(name),
    async find(name, query) {
      const { documents, next } = await all.find(name, query)
      return { documents: documents.filter(({ id }) => !id.startsWith('edge:')), next }
    },
  }
  try {
    const sums: Record<string, string | undefined> = {}
    for (const view of views) sums[view.name] = (await contentChecksum({ store, clock: createSystemClock() }, collectionOf(view)))?.checksum
    return sums
  } finally {
    await all.close()
  }
}

async function rebuild(dataDir: string): Promise<void> {
  for (const end of JOURNALS) rmSync(`${dataFolderAt(dataDir).readModels}${end}`, { force: true })
  const config = configOf(dataDir)
  const folder = owned(ownDataFolder(config))
  try {
    await (await openOffline({ config, folder })).close()
  } finally {
    folder.release()
  }
}

for (const name of goldenDataNames()) {
  t.test(`a data folder of the state ${name} opens, shows what it showed, and stays whole`, async (t) => {
    const { dataDir, shown } = await unpackGoldenData(name, testFolder(t))
    const found = await verified(dataDir)
    t.strictSame(found.wrong, [], 'its log verifies')

    const begun = shown.movies.filter(({ position }) => position > 0).map(({ title }) => title)
    let token = ''
    const first = await whileServed(dataDir, async (url) => {
      for (const account of shown.accounts) {
        const signedIn = await signIn(url, account)
        t.ok(signedIn.token, `${account.email} signs in`)
        if (account.email === shown.viewer.email) token = signedIn.token
      }
      if (shown.secured) t.equal(await verifiedAt(url, shown.secured), 200, 'a second factor is asked for, and taken')
      t.strictSame(await seenBy(url, token), { movies: shown.movies, begun }, 'it shows the same movies, marks and positions')
    })
    t.strictSame(first, [], 'the first start reports no trouble')
    const second = await whileServed(dataDir, async (url) => {
      t.strictSame(await seenBy(url, token), { movies: shown.movies, begun }, 'and after a second start, to the same sign-in')
    })
    t.strictSame(second, [], 'the second start reports no trouble')

    const after = await verified(dataDir)
    t.strictSame(after.wrong, [], 'its log verifies afterwards')
    t.ok(after.events > found.events, 'and has grown')
    const before = await checksums(dataDir)
    t.notOk(Object.values(before).includes(undefined))
    await rebuild(dataDir)
    t.strictSame(await checksums(dataDir), before, 'read models rebuilt from the log are those that were shown')
  })
}

t.test('there are golden data folders', async (t) => {
  t.ok(goldenDataNames().length >= 6)
})
