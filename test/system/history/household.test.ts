/** Compares figures and lists of a household's year with the results of a Python program that counts the raw events. */
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { views } from '../../../projections/views/all.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import { derivedId } from '../../../src/events/derived-id.ts'
import { toSeq } from '../../../src/events/position.ts'
import { openNode, type Node } from '../../http/server/two-nodes.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { contentChecksum } from '../../../src/app/consistency/content-checksum.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import { openNodeFixture, type Cluster } from '../../fixtures/node-fixture.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { memoryFolder } from '../../fixtures/memory-folder.ts'
import { createRandom } from '../../fixtures/random.ts'
import { everything, liveAYear, type Household } from './household.ts'
import { askAll } from './questions.ts'

/** `MARQUEE_TEST_HOUSEHOLD=2650`: the number of viewings that make 200,000 events. */
const VIEWINGS = Number(process.env['MARQUEE_TEST_HOUSEHOLD'] ?? 60)
const QUESTIONS = 200
const python = findProgram('python3')

t.test('every figure equals an independent count from the events', { timeout: 7_200_000 }, async (t) => {
  if (!python) return tellMissing(t, 'python3', 'The independent count is a program in Python.')
  const folder = memoryFolder(t)
  mkdirSync(join(folder, 'data'))
  const tell = stopwatch(t)
  const household = await liveAYear(t, { folder: join(folder, 'data'), seed: 5, viewings: VIEWINGS })
  const { cluster } = household.node
  const [events, questions] = [join(folder, 'events.jsonl'), join(folder, 'questions.jsonl')]
  tell(`${await writeEvents(household, events)} events`)
  const node = await openNode(t, { cluster, name: 'asked', fixture: household.node })
  const { token } = await household.node.login(household.people[0]!.caller.userId)
  const asked = await askAll({ node, household, token, random: createRandom(18) }, QUESTIONS)
  tell(`${QUESTIONS} questions`)
  writeFileSync(questions, asked.map((one) => `${JSON.stringify(one)}\n`).join(''))
  t.strictSame(count(events, questions), { wrong: 0, questions: QUESTIONS, said: [] })
  tell('the independent count')
  t.strictSame(await oddities(node, token), { backwards: [], longer: [] }, 'nothing ends before it began, or was watched for longer')
  const begun = asked.filter(({ path, answer }) => path === 'overview' && (answer as { readonly plays: number }).plays > 0)
  t.ok(begun.length > 2, 'the questions are about something')
  const first = { ...begun[0], answer: { ...Object(begun[0]?.answer), plays: 1_000 }, clients: asked[0]?.clients }
  writeFileSync(join(folder, 'wrong.jsonl'), `${JSON.stringify(first)}\n`)
  t.equal(count(events, join(folder, 'wrong.jsonl')).wrong, 1, 'a wrong answer is found')

  tell('a wrong answer, and all of the history')
  await household.node.seen()
  await household.node.stop()
  const before = await checksums(cluster)
  for (const view of views) await cluster.store.drop(collectionOf(view))
  const again = { ...household, node: await openNodeFixture(t, { cluster, node: 'two' }) }
  await again.node.seen()
  tell('all views rebuilt')
  t.strictSame(await checksums(cluster), before, 'each view is the same after it was rebuilt')
  t.notOk(Object.values(before).includes(undefined))
  const other = await openNode(t, { cluster, name: 'again', fixture: again.node })
  t.strictSame(
    await askAll({ node: other, household: again, token, random: createRandom(18) }, QUESTIONS),
    asked,
    'and each answer, byte by byte',
  )
  tell('the questions once more')
})

/** Tells how long each step took, and how much processor time this process had in it. */
function stopwatch(t: Test): (step: string) => void {
  let [startMs, used] = [performance.now(), process.cpuUsage()]
  return (step) => {
    const { user, system } = process.cpuUsage(used)
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    t.comment(`${step}: ${seconds(performance.now() - startMs)}, of the processor ${seconds((user + system) / 1000)}`)
    startMs = performance.now()
    used = process.cpuUsage()
  }
}

/** Checksums of each view's documents, except those that record the audit's last batches. */
async function checksums({ store: all }: Cluster): Promise<Readonly<Record<string, string | undefined>>> {
  const clock = createSystemClock()
  const store: Pick<ReadStore, 'checkpoint' | 'find'> = {
    checkpoint: (name) => all.checkpoint(name),
    async find(name, query) {
      const { documents, next } = await all.find(name, query)
      return { documents: documents.filter(({ id }) => !id.startsWith('edge:')), next }
    },
  }
  const sums = views.map(async (view) => [view.name, (await contentChecksum({ store, clock }, collectionOf(view)))?.checksum] as const)
  return Object.fromEntries(await Promise.all(sums))
}

async function writeEvents({ node }: Household, file: string): Promise<number> {
  const lines = createWriteStream(file)
  let written = 0
  for await (const batch of everything(node.cluster.log)) {
    for (const { type, id, data, metadata, position } of batch) {
      // The id of a mark's history entry is derived from the event's id.
      const viewing = type === 'MovieMarkedWatched' ? { viewing: derivedId('viewing', id) } : {}
      lines.write(`${JSON.stringify({ type, at: metadata.at, seq: Number(toSeq(position)), data, ...viewing })}\n`)
    }
    written += batch.length
  }
  await finished(lines.end())
  return written
}

interface Lasting {
  readonly id: string
  readonly startedAt: string
  readonly endedAt: string
  readonly watchedSeconds: number
  readonly source: string
}

/** The viewings whose times contradict each other. */
async function oddities(node: Node, token: string) {
  const backwards: string[] = []
  const longer: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await node.ask('GET', `/v1/history?scope=all&limit=100${page}`, { token })
    const { items, nextCursor } = JSON.parse(body) as { readonly items: readonly Lasting[]; readonly nextCursor: string | null }
    for (const { id, startedAt, endedAt, watchedSeconds, source } of items) {
      if (endedAt < startedAt) backwards.push(id)
      if (source === 'playback' && watchedSeconds * 1000 > Date.parse(endedAt) - Date.parse(startedAt)) longer.push(id)
    }
    cursor = nextCursor
  }
  return { backwards, longer }
}

function count(events: string, questions: string) {
  const { stdout, stderr } = spawnSync(python ?? '', [join(import.meta.dirname, 'count_history.py'), events, questions], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (stderr !== '') throw new Error(stderr)
  const lines = stdout.trim().split('\n')
  const { wrong, questions: asked } = JSON.parse(lines.at(-1) ?? '') as { readonly wrong: number; readonly questions: number }
  return { wrong, questions: asked, said: lines.slice(0, -1) }
}
