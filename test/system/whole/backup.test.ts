/** A backup of a server under load, a kill in the middle of the next one, and the restoration elsewhere. */
import { mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { makeClip } from '../../fixtures/media-files.ts'
import { runMarquee } from '../audit/marquee-command.ts'
import { acknowledgedIn, compareWithLog, type LoadRecord } from './load-record.ts'
import { startLoad } from './load.ts'
import { scannedMovies, signIn, startServer } from './server-process.ts'
import { inEachTopology } from './topologies.ts'
import { readWholeLog } from './whole-log.ts'

const FILMS = 4
const COMMANDS = 100
const PATIENCE_MS = 60_000
/** The machine has to write backups, too. */
const PAUSE_MS = 50

const TITLE = 'a backup under load holds all that was acknowledged before it, and a kill in the middle of the next one costs nothing'

inEachTopology(TITLE, {}, async (t, installation) => {
  const root = installation.folder
  const [media, backups, elsewhere] = [join(root, 'media'), join(root, 'backups'), join(root, 'elsewhere')]
  /** Of the process that answers the command line. */
  const data = installation.topology === 'one process' ? installation.dataDir : join(installation.dataDir, 'api-1')
  for (const folder of [media, elsewhere]) mkdirSync(folder)
  for (let n = 0; n < FILMS; n++)
    await makeClip({ path: join(media, `Film ${n} (200${n}).mp4`), seconds: 60 + n, width: 64, height: 48, fps: 5 })
  const server = await installation.start({ media })
  const admin = await signIn(server.url)
  const movies = [...(await scannedMovies(admin)).values()].map(({ id }) => id)
  const checkpoint = await fetch(`${server.url}/v1/audit/checkpoint`, { headers: { authorization: `Bearer ${admin.token}` } })
  const kept = join(root, 'checkpoint')
  writeFileSync(kept, await checkpoint.text())

  const load = startLoad({ viewers: [{ url: server.url, api: admin }], movies, pauseMs: PAUSE_MS })
  for (let waitedMs = 0; acknowledgedIn(load.record) < COMMANDS && waitedMs < PATIENCE_MS; waitedMs += 20) await sleep(20)
  const before: LoadRecord = structuredClone(load.record)
  const made = await runMarquee(data, 'backup', backups)
  t.match(made, { code: 0, text: /Backup 20\S+Z: \d+ events/ })

  let killed: Promise<unknown> | undefined
  const written = watch(join(backups, 'log'), { recursive: true }, () => void (killed ??= server.end('SIGKILL')))
  const cut = await runMarquee(data, 'backup', backups)
  written.close()
  await killed
  await load.stop()
  // A busy machine may carry the kill out only once the backup is complete.
  t.ok(cut.code === 1 || readdirSync(join(backups, 'backups')).length === 2, `the second backup was cut off: ${cut.text}`)

  t.match(await runMarquee(root, 'restore', backups, '--data', elsewhere), { code: 0, text: /is restored to .*verified/ })
  t.match(await runMarquee(elsewhere, 'verify', '--checkpoint', kept), { code: 0, text: /every chain holds, and so does 1 checkpoint/ })
  const log = createSqliteEventLog({ file: join(elsewhere, 'events.sqlite'), clock: createSystemClock() })
  t.ok(acknowledgedIn(before) >= COMMANDS, `${acknowledgedIn(before)} commands were acknowledged before the backup`)
  const events = await readWholeLog(log)
  t.strictSame(compareWithLog(before, events).lost, [])
  t.strictSame(compareWithLog(load.record, events).doubled, [])
  await log.close()

  const moved = await startServer({ dataDir: elsewhere })
  const again = await signIn(moved.url)
  t.equal((await scannedMovies(again)).size, FILMS, 'the same password signs in, and the films are listed')
  t.match(await runMarquee(elsewhere, 'backup', backups), { code: 0, text: /\d+ were there already/ }, 'it backs up into the same folder')
  t.equal(await moved.end('SIGTERM'), 0)
})
