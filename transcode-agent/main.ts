/** Runs the transcode agent as a separate program: `node transcode-agent/main.ts`. Settings as for the server. */
import { runRole } from '../src/process/run-role.ts'

process.exit(await runRole('agent', async () => (await import('../src/wiring/programs.ts')).createProgram))
