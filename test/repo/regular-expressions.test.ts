/** No untrusted text may make a regular expression slow: its cost must be linear in the text's length, not quadratic. */
import t from 'tap'
import { attacksOn, findBuiltExpressions, findExpressions, type FoundExpression } from './regular-expressions.ts'

/** Applied only to texts by the operator or by the program itself. */
const OWN: readonly string[] = ['src/config', 'src/cli', 'src/process', 'src/adapters/mongodb/', 'src/adapters/nats/', 'src/adapters/esdb/']
/** Quadratic, but in a length that is bounded before. */
const SHORT: Readonly<Record<string, { readonly characters: number; readonly why: string }>> = {
  'src/domain/scans/movie-name.ts /^[\\s\\-–—_,]+|[\\s\\-–—_,(（]+$/gu': { characters: 1_000, why: 'MAX_NAME' },
  'src/domain/subtitles/language-encodings.ts /([\\d.]+) (\\D+?)(?= |$)/gu': { characters: 500, why: 'a table of this program' },
  'src/domain/scans/subtitle-name.ts /^-+|-+$/g': { characters: 255, why: 'MOST_CHARACTERS' },
  'src/adapters/containers/matroska-header.ts /\\0+$/': { characters: 100, why: 'CODEC_ID_BYTES' },
}
/** Characters of an attack: a quadratic expression needs milliseconds for them, a linear one microseconds. */
const LENGTH = 3_000
/** Time relative to a plain scan of a text of the same length; lower costs are not examined further. */
const NOTICED = 30
/** For a text four times as long: linear work takes four times as long, quadratic work sixteen times. */
const MOST_GROWTH = 9
const TRIES = 10

const built = await findBuiltExpressions()
const foreign = [...findExpressions(), ...built.found].filter(({ file }) => !OWN.some((folder) => file.startsWith(folder)))

/** Microseconds of the clock: some kernels count a thread's CPU in ticks of 4 ms. The least of several is free of other programs. */
function costOf(work: () => unknown): number {
  const from = performance.now()
  work()
  return (performance.now() - from) * 1000
}

const leastOf = (times: number, work: () => unknown): number => Math.min(...Array.from({ length: times }, () => costOf(work)))

const plain = 'x'.repeat(LENGTH)
const plainCost = Math.max(
  20,
  leastOf(TRIES * 5, () => /^[^!]*!$/.test(plain)),
)

function run({ pattern }: Pick<FoundExpression, 'pattern'>, text: string): unknown {
  return pattern.global ? text.replaceAll(pattern, '') : pattern.exec(text)
}

/** Least factor by which the cost grows for a text four times as long; undefined if the cost is negligible, or the factor is low. */
function growthOf(found: Pick<FoundExpression, 'pattern'>, [short, long]: readonly [string, string]): number | undefined {
  const cost = costOf(() => run(found, short))
  if (cost < plainCost * NOTICED) return undefined
  const again = leastOf(TRIES, () => run(found, short))
  if (again < plainCost * NOTICED) return undefined
  let least = Infinity
  for (let tries = 0; tries < TRIES && least > MOST_GROWTH; tries += 1) least = Math.min(least, costOf(() => run(found, long)) / again)
  return least > MOST_GROWTH ? least : undefined
}

/** The first attack that succeeds. */
function weakness(found: Pick<FoundExpression, 'pattern'>, length: number): string | undefined {
  const longer = attacksOn(found.pattern, length * 4)
  for (const short of attacksOn(found.pattern, length)) {
    const long = longer.next().value ?? ''
    const growth = growthOf(found, [short, long])
    if (growth !== undefined) return `${JSON.stringify(short.slice(0, 60))} grows ${growth.toFixed(0)} times`
  }
  return undefined
}

t.test('the attacks find what is known to be slow, at lengths whose cost stands out on a fast machine', async (t) => {
  for (const pattern of [/^Format:(.*\bAlignment\b.*)$/i, /\s+for\s.*$/is, /\/+$/]) t.ok(weakness({ pattern }, LENGTH * 2), String(pattern))
})

t.test('every expression that is built from parts is built while its file is loaded, so that it is attacked like the others', async (t) => {
  t.strictSame(built.missing, [])
  t.ok(built.found.some(({ file }) => file === 'src/http/server/redaction.ts'))
})

t.test(
  'every regular expression that reads what others wrote is linear, or reads no more than a few hundred characters',
  { timeout: 200_000 },
  async (t) => {
    const weak = foreign.flatMap((found) => {
      const name = `${found.file} ${found.text}`
      if (SHORT[name]) return []
      const how = weakness(found, LENGTH)
      return how === undefined ? [] : [`${name}: ${how}`]
    })
    t.strictSame(weak, [])
  },
)

t.test('what is excepted is still there, and costs little at its greatest length', async (t) => {
  const names = new Map(foreign.map((found) => [`${found.file} ${found.text}`, found]))
  for (const [name, { characters }] of Object.entries(SHORT)) {
    const found = names.get(name)
    t.ok(found, name)
    if (!found) continue
    const limit = plainCost * NOTICED * 40
    // On a busy machine the first measurements may be of other programs.
    const costs = [...attacksOn(found.pattern, characters)].map((attack) => {
      const cost = leastOf(3, () => run(found, attack))
      return cost < limit ? cost : leastOf(TRIES * 5, () => run(found, attack))
    })
    const worst = Math.max(...costs)
    t.ok(worst < limit, `${name}: ${worst} microseconds`)
  }
})
