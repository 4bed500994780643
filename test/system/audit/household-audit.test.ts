/**
 * A household's log of a year, with checkpoints taken during it, and tampered copies: `verify` names each change against the earlier
 * checkpoints, and the independent verifier agrees.
 *
 * Of a long log the verification of each copy begins at the last checkpoint before its tampering (judge.ts). Some copies are verified as
 * a whole, too, and by the command line.
 */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { openSqliteEventLogCopy } from '../../../src/adapters/sqlite/event-log-copy.ts'
import { notesIn } from '../../../src/app/audit/signed-note.ts'
import type { FirstDifference } from '../../../src/app/operator/operator-commands.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { createRandom } from '../../fixtures/random.ts'
import { createJudge } from './judge.ts'
import { folderOfYear, isLived, keptOf, liveYear, type LivedYear } from './lived-year.ts'
import { runMarquee } from './marquee-command.ts'
import { tamper, TAMPERINGS } from './tamperings.ts'
import { firstOf, isNamed, manyInPython, python, pythonOn } from './verifiers.ts'

/** Number of copies; `MARQUEE_TEST_TAMPERINGS=1000` makes more of them. */
const ROUNDS = Number(process.env['MARQUEE_TEST_TAMPERINGS'] ?? TAMPERINGS.length * 2)
/** One of so many is verified as a whole; odd, so that each way has its turn. */
const SAMPLED = Math.max(8, Math.floor(ROUNDS / 8)) | 1

t.test(
  'whatever is done to the log of a year is named, by ours and by an independent verifier alike',
  { timeout: 7_200_000 },
  async (t) => {
    if (!python) return tellMissing(t, 'python3', 'The independent verifier is a program in Python.')
    const folder = folderOfYear(t, 'sqlite')
    const whole = join(folder, 'whole.sqlite')
    if (!isLived(folder)) {
      await liveYear(t, { folder, keep: async () => copyWhole(join(folder, 'data/events.sqlite'), whole) })
    }
    const year = keptOf(folder)
    t.equal(notesIn(year.checkpoints).length, year.sizes.length)
    t.comment(`${year.sizes.at(-1)} events and ${year.sizes.length} checkpoints`)

    const wholeMs = performance.now()
    t.equal(await firstOf(whole, year), null)
    const pythonMs = performance.now()
    t.strictSame(pythonOn(year.notes, [whole]), { firsts: [null], code: 0 })
    t.comment(`a whole log: ${((pythonMs - wholeMs) / 1000).toFixed(1)} s, in Python ${secondsSince(pythonMs)} s`)
    await judgeAll(t, { folder, whole, year })
  },
)

interface Judging {
  readonly folder: string
  readonly whole: string
  readonly year: LivedYear
}

async function judgeAll(t: Test, { folder, whole, year }: Judging): Promise<void> {
  const startMs = performance.now()
  const log = openSqliteEventLogCopy(whole)
  const judge = await createJudge(log, year, true)
  await log.close()
  const many = await manyInPython(year.notes, whole)
  t.teardown(() => many.close())
  t.strictSame([judge.whole, many.whole], [null, null])
  t.comment(`every checkpoint reached: ${secondsSince(startMs)} s`)
  const beganMs = performance.now()
  const random = createRandom(17)
  const ways = new Map<string, number>()
  let sampled = 0
  for (let round = 0; round < ROUNDS; round++) {
    const file = join(folder, 'tampered.sqlite')
    copyFileSync(whole, file)
    const did = tamper(file, TAMPERINGS[round % TAMPERINGS.length] ?? 'flip', random)
    const tampered = openSqliteEventLogCopy(file)
    const [first, inPython] = await Promise.all([judge.firstOf(tampered, did.seq), many.firstOf({ log: file, after: did.seq - 1 })])
    await tampered.close()
    const what = `${did.way} at ${did.seq} of stream ${did.stream}: ${JSON.stringify(first)}`
    if (!first) t.fail(`${did.way} at ${did.seq} was not found`)
    else t.ok(isNamed(first, did, year.sizes), what)
    t.strictSame(inPython, first, what)
    if (first && round % SAMPLED === 0 && ++sampled) await sayTheSame(t, { file, folder, year, first })
    rmSync(file)
    ways.set(did.way, (ways.get(did.way) ?? 0) + 1)
    if ((round + 1) % 100 === 0) t.comment(`${round + 1} tamperings in ${secondsSince(beganMs)} s`)
  }
  t.equal(ways.size, TAMPERINGS.length)
  t.comment(`${ROUNDS} tamperings in ${secondsSince(beganMs)} s, ${sampled} of them verified as a whole and by the command line, too`)
}

interface Sampled {
  readonly file: string
  readonly folder: string
  readonly year: LivedYear
  readonly first: FirstDifference
}

/** The whole copy in this process, in Python, and by the command line. */
async function sayTheSame(t: Test, { file, folder, year, first }: Sampled): Promise<void> {
  t.strictSame(await firstOf(file, year), first, 'ours, of the whole copy')
  t.strictSame(pythonOn(year.notes, [file]), { firsts: [first], code: 1 }, 'Python, of the whole copy')
  const args = ['verify', '--log', file, '--checkpoint', year.notes, '--key', year.key]
  t.match(await runMarquee(folder, ...args), { code: 1, text: new RegExp(`First difference: .*\\bseq ${first.seq}\\b`) })
}

const secondsSince = (ms: number): string => ((performance.now() - ms) / 1000).toFixed(1)

/** Without its journal. */
function copyWhole(from: string, to: string): void {
  const db = new DatabaseSync(from)
  db.prepare('vacuum into ?').run(to)
  db.close()
}
