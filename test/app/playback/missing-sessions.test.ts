import t from 'tap'
import { createExplainMissing, explainMissingAlone } from '../../../src/app/playback/missing-sessions.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const missing = { refusal: 'not-found' }

t.test('a session that was begun elsewhere and is not heard of here yet is no missing one, as a player would take it for', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const movie = await node.movieNamed('Metropolis')
  const { session } = allowed(await node.playback.start(caller, { movieId: movie.id }, ORIGIN))
  const here = { access: node.access, commandHandler: node.commandHandler }
  const elsewhere = { ...here, access: { idle: node.access.idle, sessions: new Map() } }

  t.match(await createExplainMissing(elsewhere)(session.id), { refusal: 'unavailable', retryAfterSeconds: 1 })
  t.match(await createExplainMissing(here)(session.id), missing, 'it is known here: whoever does not see it may not')
  for (const id of [named('nobody'), 'x', '../etc']) t.match(await createExplainMissing(elsewhere)(id), missing, id)
  t.match(await explainMissingAlone(session.id), missing)

  node.clock.setNow(node.clock.now() + 120_000)
  t.match(await createExplainMissing(elsewhere)(session.id), missing, 'it is idle')
  node.clock.setNow(node.clock.now() - 60_000)
  allowed(await node.playback.end(caller, session.id, ORIGIN))
  t.match(await createExplainMissing(elsewhere)(session.id), missing, 'it has ended')
})
