/** Fills a data folder for `guard.ts`: an admin and generated films. It runs in a separate process, whose memory is freed afterwards. */
import { isRefusal } from '../../src/domain/refusal.ts'
import { appendMovies } from './movies.ts'
import { ADMIN } from './guard.ts'
import { AUTHOR, openNodeFixture } from './node.ts'

const [dataDir = '', count = '0'] = process.argv.slice(2)
const node = await openNodeFixture(dataDir)
await node.services.accounts.registerFirstAdmin(ADMIN, AUTHOR)
const libraryId = await node.services.libraries.createBy(AUTHOR, { name: 'Films', paths: ['/media/Films'] })
if (isRefusal(libraryId)) throw new Error(libraryId.message)
await appendMovies(node.ports.log, node.ports.ids, { count: Number(count), libraryIds: [libraryId] })
await node.background.caughtUp()
await node.close()
