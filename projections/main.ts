/** The projector as a program of its own: `node projections/main.ts`. Settings as for the server. */
import { runRole } from '../src/process/run-role.ts'

process.exit(await runRole('projector', async () => (await import('../src/wiring/programs.ts')).createProgram))
