/**
 * Compresses a day of a household into an hour: `npm run soak -- --minutes 60`, after a warm-up of a quarter of that. It prints a table of
 * what the server holds after each of four periods, and ends with exit code 1 if anything grew by more than 5 % from the first to the last.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { soak } from './soak.ts'
import { grown, tableOf } from './verdict.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, clips: { type: 'boolean', default: false } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error('--minutes must be a positive number')

const PERIODS = 4
const ROOT = resolve(import.meta.dirname, '../..')
if (spawnSync(process.execPath, ['build/programs.ts'], { cwd: ROOT, stdio: 'inherit' }).status !== 0)
  throw new Error('The programs could not be built')

const folder = mkdtempSync(join(tmpdir(), 'marquee-soak-'))
try {
  const { samples, tally, exitCode } = await soak({
    folder,
    periods: Array.from({ length: PERIODS }, () => minutes / PERIODS),
    films: values.clips ? 'clips' : 'set',
    print: console.log,
  })
  console.log(`\n${tableOf(samples)}\n`)
  for (const [what, count] of [...tally].toSorted(([a], [b]) => a.localeCompare(b))) console.log(`${String(count).padStart(7)} ${what}`)
  const growths = grown(samples)
  for (const { name, first, last } of growths) console.log(`GREW: ${name} from ${first.toFixed(1)} to ${last.toFixed(1)}`)
  if (exitCode !== 0) console.log(`The server ended with exit code ${exitCode}`)
  process.exitCode = growths.length > 0 || exitCode !== 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
