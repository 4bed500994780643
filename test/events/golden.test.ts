/** Golden files: one stored event of each version of each shipped type. They stay readable permanently, and never change. */
import t from 'tap'
import { views } from '../../projections/views/all.ts'
import type { JsonObject } from '../../src/events/envelope.ts'
import { VERSIONS } from '../../src/events/catalogue.ts'
import { decode, verifies } from '../../src/events/codec.ts'
import type { StoredEvent } from '../../src/events/envelope.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { subjectOf, unseal, type Sealed } from '../../src/events/sealed.ts'
import { foldInto } from '../fixtures/fold.ts'
import { goldenEvents as golden, goldenFiles as files } from '../fixtures/golden-events.ts'

/** The key of every encrypted text in them. */
const KEY = new Uint8Array(32).fill(7)

const nameOf = ({ type, metadata }: StoredEvent): string => `${type}@${metadata.v}.json`

/** @throws Error if the current version does not know the type any more */
function decoded(stored: StoredEvent): RecordedEvent {
  const event = decode(stored)
  if (!event) throw new Error(`${stored.type} is not known`)
  return event
}

t.test('each event type has a golden file for every version up to today’s', async (t) => {
  for (const [type, version] of Object.entries(VERSIONS)) {
    for (let v = 1; v <= version; v++) t.ok(files.includes(`${type}@${v}.json`), `test/golden/${type}@${v}.json`)
  }
  t.strictSame(golden.map(nameOf).sort(), files.toSorted(), 'and each file holds what its name says')
})

t.test('every one decodes to its type as it is today, and its hash chain verifies', async (t) => {
  for (const stored of golden) {
    const event = decoded(stored)
    t.match(event, { id: stored.id, stream: stored.stream, revision: stored.revision, position: stored.position, at: stored.metadata.at })
    if (Number(stored.metadata.v) === VERSIONS[event.type]) t.strictSame(event.data, stored.data, stored.type)
    t.ok(verifies(stored, stored.metadata.prev), nameOf(stored))
  }
})

t.test('what was sealed in them opens with its key', async (t) => {
  const texts = golden.flatMap(({ data, metadata }) => [...Object.values(data), ...Object.values(metadata)])
  const sealed = texts.filter((text) => typeof text === 'string' && text.startsWith('sealed:')).map((text) => text as Sealed)
  t.ok(sealed.length > 20)
  for (const text of sealed) t.type(unseal(text, KEY), 'string', subjectOf(text))
  const registered = golden.find(({ type }) => type === 'UserRegistered')
  t.equal(unseal(registered?.data['email'] as Sealed, KEY), 'ann@example.org')
  t.equal(unseal(registered?.data['name'] as Sealed, KEY), 'Ann Größe')
})

t.test('every view that handles one folds it, alone and after all before it', async (t) => {
  for (const view of views) {
    const documents = new Map<string, JsonObject>()
    for (const stored of golden) {
      const event = decoded(stored)
      t.doesNotThrow(() => foldInto(new Map(), view, event), `${view.name} folds ${nameOf(stored)} alone`)
      t.doesNotThrow(() => foldInto(documents, view, event), `${view.name} folds ${nameOf(stored)}`)
    }
    const left = JSON.parse(JSON.stringify([...documents.values()])) as unknown
    t.strictSame(left, [...documents.values()], `documents of ${view.name} are plain JSON`)
  }
})
