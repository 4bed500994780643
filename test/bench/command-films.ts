/** Fills a data folder for `command-costs.ts`: an admin and films, some of whose files exist, so that they can be played. It runs in a process of its own. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRefusal } from '../../src/domain/refusal.ts'
import { ADMIN } from './command-costs.ts'
import { appendMovies, type StreamedFile } from './movies.ts'
import { AUTHOR, openNodeFixture } from './node.ts'

const [dataDir = '', root = '', count = '0', played = '0'] = process.argv.slice(2)

function makeFile(n: number): StreamedFile {
  const path = join(root, `Film ${n} (2000)`, `Film ${n} (2000).mkv`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'film')
  const { size: sizeBytes, mtimeMs, ino: inode } = statSync(path)
  return { path, root, stamp: { sizeBytes, modifiedAtMs: Math.trunc(mtimeMs), inode }, companions: 'alone' }
}

const files = Array.from({ length: Number(played) }, (_, n) => makeFile(n))
const node = await openNodeFixture(dataDir)
await node.services.accounts.registerFirstAdmin(ADMIN, AUTHOR)
const libraryId = await node.services.libraries.createBy(AUTHOR, { name: 'Films', paths: [root] })
if (isRefusal(libraryId)) throw new Error(libraryId.message)
const films = { count: Number(count), libraryIds: [libraryId, libraryId], fileOf: (n: number) => files[n], hasVideo: false }
await appendMovies(node.ports.log, node.ports.ids, films)
await node.background.caughtUp()
await node.close()
