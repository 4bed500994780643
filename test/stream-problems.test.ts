import t from 'tap'
import { createStreamProblems } from '../src/stream-problems.ts'
import { named } from './names.ts'

const [evening, morning] = [named<'session'>('evening'), named<'session'>('morning')]

t.test('a session has the problem of a quality that cannot be given, until it can', async (t) => {
  const { note, of } = createStreamProblems()
  t.equal(of(evening), null)
  note(evening, '720p', 'ffmpeg has crashed twice')
  note(evening, 'audio-0', undefined)
  t.equal(of(evening), 'ffmpeg has crashed twice', 'sound that can be had does not hide it')
  t.equal(of(morning), null)
  note(evening, '720p', undefined)
  t.equal(of(evening), null)
})

t.test('a session that is over has none, and of sessions that stay away no more than a thousand are remembered', async (t) => {
  const { note, of, forget } = createStreamProblems()
  note(evening, '720p', 'no')
  forget(evening)
  t.equal(of(evening), null)
  const sessions = Array.from({ length: 1001 }, (_, n) => named<'session'>(`evening-${String(n).padStart(4, '0')}`))
  for (const session of sessions) note(session, '720p', 'no')
  t.equal(sessions.filter((session) => of(session) !== null).length, 1000)
})
