/** Runs the projector as a separate process: `node projections/main.ts`. It has the same settings as the server. */
import { startAgain } from '../src/process/start-again.ts'

startAgain(import.meta.filename, 'projector')
const { runRole } = await import('../src/process/run-role.ts')
const { endProcess } = await import('../src/process/ending.ts')
endProcess(await runRole('projector', async () => (await import('../src/wiring/programs.ts')).createProgram))
