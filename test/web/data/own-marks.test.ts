import t from 'tap'
import { createOwnMarks } from '../../../web/data/own-marks.ts'

function open() {
  const timers: (() => void)[] = []
  const shown: unknown[] = []
  const marks = createOwnMarks({
    after: (_ms, run) => void timers.push(run),
    show: (movieId, marks) => void shown.push([movieId, marks]),
  })
  return { ...marks, shown, pass: () => void timers.splice(0).forEach((run) => run()) }
}

t.test('events of a movie that this tab does not write to are shown at once', async (t) => {
  const { holds, write } = open()
  t.notOk(holds('m', { watched: true }))
  await write('other', async () => undefined)
  t.notOk(holds('m', { watched: true }))
})

t.test('what the events of a mark and of its undoing say together is shown once both are over', async (t) => {
  const { holds, write, shown, pass } = open()
  const mark = Promise.withResolvers<string>()
  const first = write('m', () => mark.promise)
  const undoing = write('m', async () => 'undone')
  t.ok(holds('m', { watched: true, watchedAt: '2026-01-02T12:00:00.000Z', position: 0 }))
  mark.resolve('marked')
  t.strictSame([await first, await undoing], ['marked', 'undone'])
  t.ok(holds('m', { watched: false, watchedAt: null }), 'an event may come after the answer')
  t.ok(holds('m', { position: 600 }))
  t.strictSame(shown, [])
  pass()
  t.strictSame(shown, [['m', { watched: false, watchedAt: null, position: 600 }]])
  t.notOk(holds('m', { watched: true }))
})

t.test('a write that fails ends the wait, too, and nothing is shown if nothing came', async (t) => {
  const { holds, write, shown, pass } = open()
  await t.rejects(
    write('m', async () => Promise.reject(new Error('away'))),
    { message: 'away' },
  )
  pass()
  t.notOk(holds('m', { watched: true }))
  t.strictSame(shown, [])
})
