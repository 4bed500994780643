/** Runs the transcode agent as a separate program: `node transcode-agent/main.ts`. Settings as for the server. */
import { startAgain } from '../src/process/start-again.ts'

startAgain(import.meta.filename, 'agent')
const { runRole } = await import('../src/process/run-role.ts')
const { endProcess } = await import('../src/process/ending.ts')
endProcess(await runRole('agent', async () => (await import('../src/wiring/programs.ts')).createProgram))
