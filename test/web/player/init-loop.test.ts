import t from 'tap'
import { watchInitLoop } from '../../../web/player/init-loop.ts'

function open() {
  const clock = { ms: 0 }
  const { asked } = watchInitLoop(() => clock.ms)
  const ask = (url: string, everyMs: number, times: number): readonly boolean[] =>
    Array.from({ length: times }, () => ((clock.ms += everyMs), asked(url)))
  return { ask }
}

t.test('an init segment that is requested every tenth of a second is a loop, which is reported once', (t) => {
  t.strictSame(open().ask('240p/init.mp4', 100, 7), [false, false, false, true, false, false, false])
  t.end()
})

t.test('other init segments, and retries that wait, do not', (t) => {
  const { ask } = open()
  t.strictSame([...ask('240p/init.mp4', 100, 3), ...ask('480p/init.mp4', 100, 3), ...ask('240p/init.mp4', 100, 3)].includes(true), false)
  t.strictSame(open().ask('240p/init.mp4', 500, 10).includes(true), false)
  t.end()
})
