import t from 'tap'
import { VERSIONS } from '../../src/events/catalogue.ts'
import { upcast } from '../../src/events/upcasters.ts'

t.test('an event of today’s version stays as it is', async (t) => {
  const data = { movieId: 'x' }
  t.equal(upcast('MovieDiscovered', VERSIONS.MovieDiscovered, data), data)
})

t.test('a version without a way to today’s is refused by name', async (t) => {
  t.throws(() => upcast('MovieDiscovered', 0, {}), /MovieDiscovered@0/)
  t.throws(() => upcast('MovieDiscovered', VERSIONS.MovieDiscovered + 1, {}), /MovieDiscovered@2/)
  t.throws(() => upcast('MovieDiscovered', Number.NaN, {}), /MovieDiscovered@NaN/)
})

t.test('plain texts for people who watch, as the first version kept them, are shown nowhere any more', async (t) => {
  t.strictSame(upcast('PlaybackCommandIssued', 1, { command: 'message', message: 'Dinner is ready' }), {
    command: 'message',
    message: null,
  })
})
