import t from 'tap'
import { createWhyUnseen, whyUnseenAlone } from '../../../src/app/playback/unseen-sessions.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, openHouse, ORIGIN } from '../../fixtures/house.ts'

const missing = { refusal: 'not-found' }

t.test('a session that was begun elsewhere and is not heard of here yet is no missing one, as a player would take it for', async (t) => {
  const house = await openHouse(t)
  const { caller } = await house.person()
  house.films.put('/films/Metropolis (1927).mkv')
  await house.scan(await house.newLibrary('/films'))
  const movie = await house.movieNamed('Metropolis')
  const { session } = allowed(await house.playback.start(caller, { movieId: movie.id }, ORIGIN))
  const here = { access: house.access, commander: house.commander }
  const elsewhere = { ...here, access: { idle: house.access.idle, sessions: new Map() } }

  t.match(await createWhyUnseen(elsewhere)(session.id), { refusal: 'unavailable', retryAfterSeconds: 1 })
  t.match(await createWhyUnseen(here)(session.id), missing, 'it is known here: whoever does not see it may not')
  for (const id of [named('nobody'), 'x', '../etc']) t.match(await createWhyUnseen(elsewhere)(id), missing, id)
  t.match(await whyUnseenAlone(session.id), missing)

  house.clock.setNow(house.clock.now() + 120_000)
  t.match(await createWhyUnseen(elsewhere)(session.id), missing, 'it is idle')
  house.clock.setNow(house.clock.now() - 60_000)
  allowed(await house.playback.end(caller, session.id, ORIGIN))
  t.match(await createWhyUnseen(elsewhere)(session.id), missing, 'it has ended')
})
