import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { START } from '../../../src/events/position.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { someEvents } from '../../fixtures/events.ts'
import { freePort } from '../../fakes/server.ts'
import { until, withServer } from './esdb.ts'

withServer(t, 'a call that fails on an old connection while no leader is found rejects nothing that nobody handles', async (t, esdb) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const [, host] = /^esdb:\/\/([^/?]+)/.exec(esdb.url) ?? []
  const drops: unknown[] = []
  const url = `esdb://${host},127.0.0.1:${await freePort()}?tls=false&maxDiscoverAttempts=3`
  const log = esdb.log(t, { url, dropped: (cause) => drops.push(cause) })
  await log.append('movie-a', 'absent', someEvents(1))
  const leaving = new AbortController()
  const following = (async () => {
    for await (const batch of log.follow(START, leaving.signal)) if (batch.length > 1) break
  })()
  await until(async () => (await log.head()) > START)
  await sleep(100)
  await esdb.setFaults({ refuse: true })
  // The first error makes the driver leave its connection, the second one makes it look for another while the subscription is lost.
  await t.rejects(log.head(), ServerUnavailable)
  const looking = log.head()
  await esdb.server.kill()
  await t.rejects(looking, ServerUnavailable)
  await until(async () => drops.length > 0)
  leaving.abort()
  await following
  await esdb.server.restart()
  await until(() => log.head())
  t.strictSame(unhandled, [])
})
