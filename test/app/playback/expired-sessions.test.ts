import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import type { Access } from '../../../src/app/access/access.ts'
import { createIdleClock } from '../../../src/app/access/idle-clock.ts'
import type { SessionHost } from '../../../src/app/playback/session-host.ts'
import { endExpiredSessions } from '../../../src/app/playback/expired-sessions.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { iso } from '../../fixtures/given.ts'
import { session } from '../../fixtures/samples.ts'
import { named } from '../../fixtures/names.ts'

t.test('an idle session that cannot be written down keeps no other from it, and is tried again', async (t) => {
  const clock = createTestClock()
  const idleOnes = ['broken', 'evening', 'morning'].map((name) => ({ ...session, id: named<'session'>(name), beatAt: iso(clock.now()) }))
  const sessions = new Map<string, SessionDocument>(idleOnes.map((one) => [one.id, one]))
  const idle = createIdleClock({ clock, behindMs: () => 0 })
  for (const one of idleOnes) idle.heard(one)
  const [sent, problems]: [string[], unknown[]] = [[], []]
  const stop = new AbortController()
  const sweeping = endExpiredSessions({
    access: { sessions, idle } as unknown as Access,
    clock,
    host: {
      async send(id: string) {
        sent.push(id)
        if (id === named('broken')) throw new Error('Its stream cannot be read')
        sessions.delete(id)
      },
    } as unknown as SessionHost,
    leases: createMemoryLeases({ clock }),
    onError: (cause) => void problems.push(cause),
    signal: stop.signal,
  })
  await clock.advance(119_999)
  t.strictSame(sent, [], 'not while they live')
  await clock.advance(5000)
  t.strictSame(sent, [named('broken'), named('evening'), named('morning')])
  t.match(problems, [/cannot be read/])
  await clock.advance(5000)
  t.strictSame(sent.slice(3), [named('broken')])
  stop.abort()
  await sweeping
})
