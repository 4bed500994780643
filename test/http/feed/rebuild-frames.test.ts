import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { RebuildState } from '../../../src/app/consistency/projection-report.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import { createEventFrames } from '../../../src/http/feed/event-frames.ts'
import { createRebuildFrames } from '../../../src/http/feed/rebuild-frames.ts'

t.test('progress is announced when it has changed, and the end once', (t) => {
  let state: RebuildState = { name: 'movies', generation: 0, rebuild: null }
  const next = createRebuildFrames(() => [state], createEventFrames(createTestClock()))
  const told = (generation: number, progress: number | null) => {
    state = { name: 'movies', generation, rebuild: progress === null ? null : { position: START, progress } }
    return next(toPosition(7)).map(({ kind }) => kind)
  }
  t.strictSame(told(3, null), [], 'it ended before anybody listened')
  t.strictSame(told(3, 0), ['projection.rebuilding'])
  t.strictSame(told(3, 0), [])
  t.strictSame(told(3, 0.5), ['projection.rebuilding'])
  t.strictSame(told(4, null), ['projection.rebuilt'])
  t.strictSame(told(4, null), [])
  t.strictSame(told(5, 0.1), ['projection.rebuilt', 'projection.rebuilding'])

  state = { name: 'movies', generation: 5, rebuild: { position: START, progress: 0.2 } }
  const data = '{"seq":"7","at":"2026-01-02T12:00:00.000Z","name":"movies","progress":0.2}'
  t.equal(next(toPosition(7))[0]?.text, `event: projection.rebuilding\ndata: ${data}\n\n`)
  t.end()
})
