/** Marquee: `npm start -- [--media <folder>]... [--name <library>] [--help] [--version]`. The server, unless `MARQUEE_ROLES` leaves it out. */
import { startAgain } from './process/start-again.ts'

startAgain(import.meta.filename, 'main')
// Loaded only in the process that stays.
const { main } = await import('./server.ts')
const { endProcess } = await import('./process/ending.ts')
endProcess(await main())
