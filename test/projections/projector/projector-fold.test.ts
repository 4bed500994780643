import t from 'tap'
import { foldSteps, stepsOf } from '../../../projections/projector/projector-fold.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { START } from '../../../src/events/position.ts'
import { named } from '../../fixtures/names.ts'
import { eventsIn } from '../../fixtures/node-fixture.ts'
import { createStory } from '../../fixtures/story.ts'

const films = named<'library'>('films')
const [broken, nameless, anonymous] = [named<'library'>('broken'), named<'library'>('nameless'), named<'library'>('anonymous')]

const strict: AnyView = {
  name: 'strict',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    LibraryCameOnline: ({ data: { libraryId } }) => {
      if (libraryId === broken) throw new Error('It has no data')
      if (libraryId === anonymous) return [{ id: undefined as unknown as string, fold: () => ({}) }]
      return [{ id: films, fold: () => ({ name: libraryId === nameless ? null : 'Films' }) }]
    },
  },
  derive: (document) => {
    if (document['name'] === null) throw new Error('It has a broken name')
    return { ...document, isDerived: true }
  },
}

t.test('events that a view cannot fold are reported, and the view is what all others make it', async (t) => {
  const store = createMemoryReadStore()
  await store.open([specOf(strict)])
  const log = createMemoryEventLog()
  await createStory(log)([films, broken, nameless, anonymous].map((libraryId) => ({ type: 'LibraryCameOnline', data: { libraryId } })))
  const events = await eventsIn(log)
  const reported = new Set<string>()
  const unfoldable = (_view: unknown, _event: unknown, cause: unknown): void => void reported.add(String(cause))
  const steps = stepsOf(strict, events, START, unfoldable)
  const { puts, removes } = await foldSteps(store, strict, steps, unfoldable)
  t.strictSame(
    puts.map(({ id, body }) => ({ id, body })),
    [{ id: films, body: { name: 'Films', isDerived: true } }],
  )
  t.strictSame(removes, [])
  t.strictSame(
    [...reported],
    ['Error: It has no data', 'TypeError: It does not name the document that it changes', 'Error: It has a broken name'],
  )
})
