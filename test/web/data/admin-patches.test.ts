import t from 'tap'
import type { components } from '../../../web/api/schema.d.ts'
import { patchRebuild, patchScanning, patchSessions } from '../../../web/data/admin-patches.ts'

type Schemas = components['schemas']

const session = (id: string) => ({ id, position: 10, playState: 'playing' }) as Schemas['ActiveSession']
const sessions = { items: [session('a'), session('b')], nextCursor: null }

t.test('events move the session that they name, and leave the others the same objects', (t) => {
  const moved = patchSessions(sessions, 'playback.progress', { sessionId: 'b', position: 20, playState: 'paused' })
  t.match(moved.items, [
    { id: 'a', position: 10 },
    { id: 'b', position: 20, playState: 'paused' },
  ])
  t.equal(moved.items[0], sessions.items[0])
  const sought = patchSessions(moved, 'playback.seeked', { sessionId: 'b', position: 5 })
  t.match(sought.items[1], { position: 5, playState: 'paused' }, 'a seek says nothing of the state')
  t.end()
})

t.test('a session that has ended is gone; events of sessions that are not shown, and other events, change nothing', (t) => {
  t.match(patchSessions(sessions, 'playback.ended', { sessionId: 'a' }).items, [{ id: 'b' }])
  t.equal(patchSessions(sessions, 'playback.ended', { sessionId: 'c' }), sessions)
  t.equal(patchSessions(sessions, 'playback.progress', { sessionId: 'c', position: 1 }), sessions)
  t.equal(patchSessions(sessions, 'playback.command', { sessionId: 'a' }), sessions)
  t.end()
})

t.test('a scan that begins shows in lists of libraries and in the library, and in no other answer', (t) => {
  const library = { id: 'l', state: 'idle' }
  const list = { items: [library, { id: 'm', state: 'offline' }], nextCursor: null }
  t.strictSame(patchScanning(list, 'l'), {
    items: [
      { id: 'l', state: 'scanning' },
      { id: 'm', state: 'offline' },
    ],
    nextCursor: null,
  })
  t.strictSame(patchScanning(library, 'l'), { id: 'l', state: 'scanning' })
  for (const same of [patchScanning(list, 'l'), list]) t.equal(patchScanning(same, 'x'), same)
  t.equal(patchScanning(library, 'x'), library)
  t.equal(patchScanning(undefined, 'l'), undefined)
  t.end()
})

t.test('a rebuild shows how far it is', (t) => {
  const page = {
    items: [
      { name: 'movies', rebuild: null },
      { name: 'scans', rebuild: null },
    ],
    nextCursor: null,
  } as Schemas['ProjectionPage']
  const going = patchRebuild(page, { name: 'movies', progress: 0.25 })
  t.match(going.items, [{ rebuild: { progress: 0.25 } }, { rebuild: null }])
  t.equal(patchRebuild(page, { name: 'movies' }), page)
  t.end()
})
