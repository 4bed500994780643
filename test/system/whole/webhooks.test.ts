/** A whole server that is killed while it delivers: nothing is lost, and what comes twice has the same id. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openReceiver, dataOf } from '../../app/webhooks/receiver.ts'
import { signIn, startServer } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const PATIENCE_MS = 60_000

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('It never came about')
    await sleep(20)
  }
}

t.test('a server that is killed twice while it delivers loses no event, and keeps their order', { timeout: 180_000 }, async (t) => {
  const folder = testFolder(t)
  const [dataDir, media] = [join(folder, 'data'), join(folder, 'media')]
  for (const path of [dataDir, media]) await mkdir(path)
  let isOpen = false
  const receiver = await openReceiver(t, () => (isOpen ? 'accept' : 'hang'))
  const taken = () => new Set(receiver.processed.map(({ id }) => id)).size
  const start = async () => {
    const server = await startServer({ dataDir, media, env: { MARQUEE_WEBHOOK_ALLOW: '127.0.0.1' } })
    t.teardown(() => server.child.kill('SIGKILL'))
    return { server, api: await signIn(server.url) }
  }

  let { server, api } = await start()
  const { items } = (await api.send('GET', '/v1/libraries')).json as unknown as { items: { id: string }[] }
  const rename = async (from: number, to: number) => {
    for (let n = from; n < to; n++) t.equal((await api.send('PATCH', `/v1/libraries/${items[0]?.id}`, { name: `Films ${n}` })).status, 200)
  }
  t.equal((await api.send('POST', '/v1/admin/webhooks', { url: receiver.url, events: ['library.updated'] })).status, 201)
  await rename(0, 20)
  await until(() => receiver.requests() > 0)
  await server.end('SIGKILL')
  isOpen = true
  ;({ server, api } = await start())
  await until(() => taken() >= 5)
  const renaming = rename(20, 40)
  await until(() => taken() >= 25)
  await renaming
  await server.end('SIGKILL')
  ;({ server, api } = await start())
  await rename(40, 50)
  await until(() => taken() >= 50)

  const firsts = [...new Map(receiver.processed.toReversed().map((one) => [one.id, Number(dataOf(one).seq)])).values()].toReversed()
  t.equal(firsts.length, 50)
  t.strictSame(
    firsts,
    firsts.toSorted((a, b) => a - b),
  )
  await server.end('SIGTERM')
})
