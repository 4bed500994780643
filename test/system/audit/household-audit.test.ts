/**
 * A household's log of a year, with checkpoints taken during it, and tampered copies: `verify` names each change against the earlier
 * checkpoints, and the independent verifier agrees.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { notesIn } from '../../../src/app/audit/signed-note.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { createRandom } from '../../fixtures/random.ts'
import { liveAYear } from '../history/household.ts'
import { tamper, TAMPERINGS } from './tamperings.ts'
import { firstOf, isNamed, python, pythonOn } from './verifiers.ts'

/** `MARQUEE_TEST_HOUSEHOLD=2650`: the number of viewings that make 200,000 events. */
const VIEWINGS = Number(process.env['MARQUEE_TEST_HOUSEHOLD'] ?? 12)
/** Number of copies; `MARQUEE_TEST_TAMPERINGS=1000` makes more of them. */
const ROUNDS = Number(process.env['MARQUEE_TEST_TAMPERINGS'] ?? TAMPERINGS.length * 2)
const CHECKPOINTS = 50

t.test(
  'whatever is done to the log of a year is named, by ours and by an independent verifier alike',
  { timeout: 7_200_000 },
  async (t) => {
    if (!python) return tellMissing(t, 'python3', 'The independent verifier is a program in Python.')
    const folder = t.testdir()
    const [data, copies, notes] = [join(folder, 'data'), join(folder, 'copies'), join(folder, 'checkpoints')]
    for (const path of [data, copies]) mkdirSync(path)
    const taken: string[] = []
    const take = async ({ seen, checkpoints }: Pick<Awaited<ReturnType<typeof liveAYear>>['node'], 'seen' | 'checkpoints'>) => {
      await seen()
      taken.push(await checkpoints.current())
    }
    const startMs = performance.now()
    const { node } = await liveAYear(t, { folder: data, seed: 17, viewings: VIEWINGS, onTheWay: { times: CHECKPOINTS, work: take } })
    await take(node)
    const [kept, sizes] = [{ checkpoints: taken.join('\n'), key: await node.checkpoints.verifier() }, taken.map(sizeOf)]
    writeFileSync(notes, kept.checkpoints)
    t.equal(notesIn(kept.checkpoints).length, taken.length)
    const whole = join(folder, 'whole.sqlite')
    copyWhole(join(data, 'events.sqlite'), whole)
    t.comment(`${sizes.at(-1)} events and ${taken.length} checkpoints in ${secondsSince(startMs)} s`)

    const beganMs = performance.now()
    t.equal(await firstOf(whole, kept), null)
    const oursMs = performance.now()
    t.strictSame(pythonOn(notes, [whole]), { firsts: [null], code: 0 })
    t.comment(`a whole log: ${((oursMs - beganMs) / 1000).toFixed(1)} s, in Python ${secondsSince(oursMs)} s`)

    const random = createRandom(17)
    const ways = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      const file = join(copies, `${round}.sqlite`)
      copyFileSync(whole, file)
      const did = tamper(file, TAMPERINGS[round % TAMPERINGS.length] ?? 'flip', random)
      const first = await firstOf(file, kept)
      const { firsts } = pythonOn(notes, [file])
      rmSync(file)
      const what = `${did.way} at ${did.seq} of stream ${did.stream}: ${JSON.stringify(first)}`
      if (!first) t.fail(`${did.way} at ${did.seq} was not found`)
      else t.ok(isNamed(first, did, sizes), what)
      t.strictSame(firsts, [first], what)
      ways.set(did.way, (ways.get(did.way) ?? 0) + 1)
    }
    t.equal(ways.size, TAMPERINGS.length)
    t.comment(`${ROUNDS} tamperings in ${secondsSince(beganMs)} s`)
  },
)

const secondsSince = (ms: number): string => ((performance.now() - ms) / 1000).toFixed(1)

const sizeOf = (note: string): number => Number(note.split('\n')[1])

/** Without its journal. */
function copyWhole(from: string, to: string): void {
  const db = new DatabaseSync(from)
  db.prepare('vacuum into ?').run(to)
  db.close()
}
