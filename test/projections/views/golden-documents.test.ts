/**
 * Golden documents: a file with each view version's documents of the golden events. A view whose output changes must raise its `version`,
 * so
 * that its documents are rebuilt from the log: a file of the same version never changes.
 * `MARQUEE_TEST_GOLDEN=write npx tap test/projections/views/golden-documents.test.ts` adds missing files, and removes those of earlier
 * versions; `npm run fix` then formats them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { views } from '../../../projections/views/all.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { decode } from '../../../src/events/codec.ts'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { START } from '../../../src/events/position.ts'
import { foldInto } from '../../fixtures/fold.ts'
import { goldenEvents } from '../../fixtures/golden-events.ts'
import { ledgerOf } from '../../fixtures/ledger.ts'

const DOCUMENTS = join(import.meta.dirname, '../../golden-documents')

/** The changes by one event: the members of each document that differ after it; null: the document is gone. */
type Changes = Readonly<Record<string, JsonObject | null>>
type Golden = Readonly<Record<string, Changes>>

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const goldenOf = (view: AnyView) => read(join(DOCUMENTS, fileOf(view))) as Golden
const fileOf = ({ name, version }: AnyView) => `${name}@${version}.json`

const events = goldenEvents.map((stored, n, all) => ({
  name: `${stored.type}@${stored.metadata.v}`,
  stored,
  after: all[n - 1]?.position ?? START,
}))
type Told = (typeof events)[number]

async function outputOf(view: AnyView): Promise<Golden> {
  const documents = new Map<string, JsonObject>()
  const output: [string, Changes][] = []
  for (const told of events) {
    const changes = await changesOf(documents, view, told)
    if (Object.keys(changes).length > 0) output.push([told.name, changes])
  }
  return Object.fromEntries(output)
}

async function changesOf(documents: Map<string, JsonObject>, view: AnyView, { stored, after }: Told): Promise<Changes> {
  const before = new Map(documents)
  const event = decode(stored)
  if (view.append) await appendInto(documents, view.append, { stored, after })
  else if (event) foldInto(documents, view, event)
  const gone = [...before.keys()].filter((id) => !documents.has(id)).map((id) => [id, null] as const)
  const changed = [...documents].flatMap(([id, document]) => {
    const members = membersChanged(before.get(id) ?? {}, document)
    return Object.keys(members).length > 0 ? [[id, members] as const] : []
  })
  return Object.fromEntries([...gone, ...changed])
}

async function appendInto(
  documents: Map<string, JsonObject>,
  append: NonNullable<AnyView['append']>,
  { stored, after }: Pick<Told, 'stored' | 'after'>,
): Promise<void> {
  const { puts, removes } = await append({ events: [stored], after }, ledgerOf(documents))
  for (const { id, document } of puts) documents.set(id, document)
  for (const { id } of removes) documents.delete(id)
}

/** A removed member is represented by `(gone)`. */
function membersChanged(before: JsonObject, after: JsonObject): JsonObject {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? (name in after ? null : '(gone)')]))
}

/** Never changes an existing file. */
async function write(): Promise<void> {
  mkdirSync(DOCUMENTS, { recursive: true })
  const current = new Set(views.map(fileOf))
  for (const file of readdirSync(DOCUMENTS)) if (!current.has(file)) rmSync(join(DOCUMENTS, file))
  const there = readdirSync(DOCUMENTS)
  for (const view of views) {
    const file = fileOf(view)
    const known = there.includes(file) ? goldenOf(view) : {}
    writeFileSync(join(DOCUMENTS, file), `${JSON.stringify({ ...(await outputOf(view)), ...known }, null, 2)}\n`)
  }
}

if (process.env['MARQUEE_TEST_GOLDEN'] === 'write') await write()

t.test('each view has a golden file of its version, and of no other', async (t) => {
  t.strictSame(readdirSync(DOCUMENTS).toSorted(), views.map(fileOf).toSorted(), 'MARQUEE_TEST_GOLDEN=write makes a new one')
})

t.test('a view whose output changes raises its version', async (t) => {
  for (const view of views) {
    const [output, golden] = [await outputOf(view), goldenOf(view)]
    const isNew = (name: string) => !(name in golden)
    t.strictSame(Object.keys(output).filter(isNew), [], `${view.name}: MARQUEE_TEST_GOLDEN=write adds new events`)
    for (const [name, changes] of Object.entries(golden)) {
      t.strictSame(output[name], changes, `${view.name}, ${name}: raise the version of this view`)
    }
  }
})
