/**
 * One of five is erased after a year: what is personal is found in no file any more, the log still verifies against the checkpoints of
 * before, and all that the other four read is what it was, byte for byte.
 */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { views } from '../../../projections/views/all.ts'
import { users, type UserDocument } from '../../../projections/views/users.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { createSqliteVault } from '../../../src/adapters/sqlite/vault.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import { createCluster, openNodeFixture, type Cluster } from '../../fixtures/node-fixture.ts'
import { distinctive, heldByFiles } from '../../fixtures/planted.ts'
import { openNode, type Node } from '../../http/server/two-nodes.ts'
import { putMovies, TO } from '../history/household.ts'
import { folderOfYear, isLived, keptOf, liveYear } from './lived-year.ts'
import { firstOf, python, pythonOn } from './verifiers.ts'

const PLANTED = {
  email: distinctive('email'),
  name: distinctive('name'),
  client: distinctive('client'),
  device: distinctive('device'),
  preferences: distinctive('preferences'),
}
/** What each of them reads of themselves. */
const READ = [
  '/v1/users/me',
  '/v1/users/me/preferences',
  '/v1/history/export?format=csv',
  '/v1/analytics/overview',
  '/v1/playback/continue-watching',
] as const

t.test('one of five is erased after a year, and nothing changes for the others', { timeout: 3_600_000 }, async (t) => {
  const folder = folderOfYear(t, 'sqlite')
  if (!isLived(folder)) await liveYear(t, { folder })
  const data = join(folder, 'data-of-erasure')
  rmSync(data, { recursive: true, force: true })
  cpSync(join(folder, 'data'), data, { recursive: true })
  const { cluster, node } = await reopened(t, data)
  const people = (await cluster.store.find(collectionOf(users), { limit: 10 })).documents.map(({ body }) => body as unknown as UserDocument)
  t.equal(people.length, 5)
  const admin = people.find(({ role }) => role === 'admin')
  const erased = people.findLast(({ role }) => role === 'user')?.id
  if (!admin || !erased) throw new Error('There is nobody')
  const others = people.map(({ id }) => id).filter((id) => id !== erased)
  await live(t, node, erased)
  // Whoever signs in is seen at that time: tokens first.
  const tokens = new Map<UserId, string>()
  for (const id of others) tokens.set(id, (await node.fixture.login(id)).token)
  const before = await all(t, { node, cluster, tokens, erased })
  const checkpoint = await node.fixture.checkpoints.current()

  const answer = await node.ask('DELETE', `/v1/users/${erased}?erase=true`, { token: tokens.get(admin.id) ?? '' })
  t.equal(answer.status, 202)
  await node.fixture.seen()
  const after = await all(t, { node, cluster, tokens, erased })
  for (const [what, text] of before.answers) t.ok(after.answers.get(what) === text, `${what}: ${text.length} characters`)
  const changed = [...before.documents].filter(([id, text]) => after.documents.get(id) !== text).map(([id]) => id)
  t.strictSame(changed, [], 'documents that are not about the person')
  t.comment(`${before.answers.size} answers and ${before.documents.size} documents as before`)

  await node.fixture.stop()
  for (const part of [cluster.log, cluster.store, cluster.vault]) await part.close()
  t.strictSame(await heldByFiles(data, PLANTED), [], 'files')
  const year = keptOf(folder)
  const log = join(data, 'events.sqlite')
  t.equal(await firstOf(log, { ...year, checkpoints: `${year.checkpoints}\n${checkpoint}` }), null)
  if (python) t.strictSame(pythonOn(year.notes, [log]).firsts, [null])
})

/** On the files of the year, with ids that the year did not have. */
async function reopened(t: Test, folder: string): Promise<{ readonly cluster: Cluster; readonly node: Node }> {
  const cluster: Cluster = {
    ...createCluster({ startMs: TO + 86_400_000 }),
    log: createSqliteEventLog({ clock: createSystemClock(), file: join(folder, 'events.sqlite') }),
    store: createSqliteReadStore({ file: join(folder, 'read-models.sqlite') }),
    vault: createSqliteVault({ file: join(folder, 'vault.sqlite') }),
  }
  await openNodeFixture(t)
  const fixture = await openNodeFixture(t, { cluster, node: 'again' })
  putMovies(fixture)
  await fixture.seen()
  return { cluster, node: await openNode(t, { cluster, name: 'again', fixture }) }
}

/** What the person says of themselves, and has others see. */
async function live(t: Test, node: Node, userId: UserId): Promise<void> {
  const { token } = await node.fixture.login(userId)
  const { id: movieId } = await node.fixture.movieNamed('Film 0')
  const client = { name: PLANTED.client, version: '1', device: PLANTED.device, deviceId: null }
  const asked = [
    ['PATCH', '/v1/users/me', { name: PLANTED.name, email: `${PLANTED.email}@example.org` }, 200],
    ['PUT', '/v1/users/me/preferences', { note: PLANTED.preferences }, 200],
    ['POST', '/v1/playback/sessions', { movieId, client }, 201],
  ] as const
  for (const [method, path, body, status] of asked) {
    const answer = await node.ask(method, path, { token, body })
    t.equal(answer.status, status, `${method} ${path}: ${answer.body}`)
  }
  const audit = await node.ask('GET', '/v1/users/me/audit?limit=100', { token })
  t.match(audit.body, PLANTED.name, 'the audit knew the name')
}

interface Reading {
  readonly node: Node
  readonly cluster: Cluster
  readonly tokens: ReadonlyMap<UserId, string>
  readonly erased: UserId
}

async function all(t: Test, { node, cluster, tokens, erased }: Reading) {
  const answers = new Map<string, string>()
  for (const [id, token] of tokens) {
    for (const path of READ) {
      const { status, body } = await node.ask('GET', path, { token })
      t.equal(status, 200, path)
      answers.set(`${path} of ${id}`, body)
    }
    answers.set(`audit of ${id}`, await ownAudit(node, token))
  }
  await node.fixture.seen()
  return { answers, documents: await documentsWithout(cluster.store, erased) }
}

/** Every page. */
async function ownAudit(node: Node, token: string): Promise<string> {
  let text = ''
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await node.ask('GET', `/v1/users/me/audit?limit=100${page}`, { token })
    const { items, nextCursor } = JSON.parse(body) as { readonly items: unknown; readonly nextCursor: string | null }
    text += JSON.stringify(items)
    cursor = nextCursor
  }
  return text
}

/** Every document that does not name the person; not those by which a view keeps its place in the log or counts what has changed. */
async function documentsWithout(store: Pick<ReadStore, 'find'>, erased: UserId): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const view of views) {
    const name = collectionOf(view)
    let after: { readonly value: null; readonly id: string } | undefined
    do {
      const { documents, next } = await store.find(name, { limit: 1_000, ...(after ? { after } : {}) })
      for (const { id, body } of documents) {
        const text = JSON.stringify(body)
        if (!/^(edge:|~)/.test(id) && !`${id} ${text}`.includes(erased)) found.set(`${name} ${id}`, text)
      }
      after = next ? { value: null, id: next.id } : undefined
    } while (after)
  }
  return found
}
