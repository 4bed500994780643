import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createDiskTrickplayStore, type TrickplayStoreOptions } from '../../../src/adapters/filesystem/trickplay-store.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { Drafted, TrickplayDraft } from '../../../src/ports/trickplay-store.ts'

const nameOf = (n: number) => n.toString(16).padStart(2, '0').repeat(32)
const drafted = (thumbnails: number): Drafted => ({
  intervalMs: 10_000,
  width: 320,
  height: 180,
  columns: 10,
  rows: 10,
  durationMs: thumbnails * 10_000,
  ptsMs: Array.from({ length: thumbnails }, (_, n) => n * 10_000),
})
const making =
  (sheets: number, sizeBytes: number, plan = drafted(sheets * 100)) =>
  async (draft: TrickplayDraft) => {
    for (let n = 0; n < sheets; n++) await draft.add(Buffer.alloc(sizeBytes, n + 1))
    return plan
  }
function filesIn(folder: string): number | undefined {
  try {
    return readdirSync(folder).length
  } catch {
    return undefined
  }
}
const below = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
const HOUR_MS = 3_600_000

function open(folder: string, more: Partial<TrickplayStoreOptions> = {}) {
  const problems: string[] = []
  const clock = createTestClock({ startMs: Date.now() })
  const store = createDiskTrickplayStore({
    clock,
    folder,
    budgetBytes: 1e9,
    freeBytes: async () => 100e9,
    onError: ({ message }, level) => void (level === 'info' || problems.push(message)),
    ...more,
  })
  return { store, problems, clock }
}

t.test('a plan of the first form is read, and one of another version counts as none', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const { store } = open(folder)
  await store.keep(nameOf(1), making(2, 5000, drafted(130)), true)
  const file = join(folder, '01', nameOf(1), 'plan.json')
  const { version, ...plan } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: number }
  t.equal(version, 1)
  writeFileSync(file, JSON.stringify(plan))
  t.strictSame(await open(folder).store.plan(nameOf(1)), { ...drafted(130), sheetBytes: [5000, 5000] })
  writeFileSync(file, JSON.stringify({ version: 2, ...plan }))
  t.equal(await open(folder).store.plan(nameOf(1)), undefined)
})

t.test('a set is kept whole, for every process that has the folder', async (t) => {
  const folder = join(t.testdir(), 'blobs', 'trickplay')
  const { store } = open(folder)
  t.equal(await store.plan(nameOf(1)), undefined)
  t.equal(await store.keep(nameOf(1), making(2, 5000, drafted(130)), true), 'kept')
  const other = open(folder).store
  t.strictSame(await other.plan(nameOf(1)), { ...drafted(130), sheetBytes: [5000, 5000] })
  t.strictSame(await other.sheet(nameOf(1), { width: 320, sheet: 1 }), Buffer.alloc(5000, 2))
  t.equal(await other.sheet(nameOf(1), { width: 320, sheet: 2 }), undefined)
  t.equal(await other.sheet(nameOf(2), { width: 320, sheet: 0 }), undefined)
  t.equal(await other.sheet(nameOf(1), { width: 160, sheet: 0 }), undefined, 'thumbnails of another width')
  t.strictSame(readdirSync(join(folder, '01', nameOf(1))).sort(), ['320-0.jpg', '320-1.jpg', 'plan.json'])
  t.equal(statSync(join(folder, '01', nameOf(1))).mode & 0o777, 0o700)
})

t.test('of what could not be made nothing is left, whatever the reason', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const { store, problems } = open(folder)
  const nothing = async (draft: TrickplayDraft) => {
    await draft.add(Buffer.alloc(10))
    return undefined
  }
  t.equal(await store.keep(nameOf(1), nothing, true), 'failed')
  const broken = async (draft: TrickplayDraft) => {
    await draft.add(Buffer.alloc(10))
    throw new Error('The film cannot be read')
  }
  await t.rejects(store.keep(nameOf(1), broken, true), { message: 'The film cannot be read' })
  t.equal(await store.plan(nameOf(1)), undefined)
  t.strictSame(below(folder), ['01'])
  t.strictSame(problems, [])
})

t.test('a set whose sheets do not hold its thumbnails is none: success with nothing in it is no success', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const { store } = open(folder)
  t.equal(await store.keep(nameOf(1), making(0, 0, drafted(1)), true), 'failed')
  t.equal(await store.keep(nameOf(2), making(1, 10, drafted(101)), true), 'failed')
  t.equal(await store.keep(nameOf(3), making(1, 10, drafted(0)), true), 'failed')
  t.equal(await store.keep(nameOf(4), making(1, 0, drafted(1)), true), 'failed')
  for (const n of [1, 2, 3, 4]) t.equal(await store.plan(nameOf(n)), undefined, String(n))
  t.strictSame(
    below(folder).filter((name) => name.includes('/')),
    [],
  )
})

t.test('what a killed process has left is swept at the next start, and what was there before stays', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const killed = open(folder).store
  await killed.keep(nameOf(1), making(1, 10), true)
  const started = Promise.withResolvers<void>()
  void killed.keep(
    nameOf(2),
    async (draft) => {
      await draft.add(Buffer.alloc(10))
      started.resolve()
      return new Promise<undefined>(() => {})
    },
    true,
  )
  await started.promise
  const { store } = open(folder)
  t.equal(await store.plan(nameOf(2)), undefined, 'it is not there while it is being made')
  t.equal(readdirSync(join(folder, '02')).length, 1)
  mkdirSync(join(folder, 'others'))
  writeFileSync(join(folder, 'others', 'file'), 'of somebody else')
  await store.sweep()
  t.strictSame(readdirSync(join(folder, '02')), [])
  t.ok(await store.plan(nameOf(1)))
  t.ok(existsSync(join(folder, 'others', 'file')))
})

t.test('a set that is being removed is never half there: a kill in the middle would leave a plan without its sheets', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const { store } = open(folder)
  await store.keep(nameOf(2), making(200, 10), true)
  const set = join(folder, '02', nameOf(2))
  const removal = store.remove(nameOf(2))
  for (let files = filesIn(set); files !== undefined; files = filesIn(set)) {
    t.equal(files, 201)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await removal
  t.strictSame(readdirSync(join(folder, '02')), [])
})

t.test('a node that has lost its lease cannot finish what another one is sweeping', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const [late, next] = [open(folder).store, open(folder).store]
  const swept = late.keep(
    nameOf(2),
    async (draft) => {
      const plan = await making(1, 10)(draft)
      await next.sweep()
      return plan
    },
    true,
  )
  t.equal(await swept, 'disk-trouble')
  t.strictSame([await next.sets(), readdirSync(join(folder, '02'))], [[], []])
})

t.test('the budget holds: what was not used for longest makes room for what is new', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const { store, clock } = open(folder, { budgetBytes: 12 * 4096 })
  for (const n of [1, 2, 3]) {
    await store.keep(nameOf(n), making(1, 4096 * 2), true)
    const at = (clock.now() - (4 - n) * HOUR_MS) / 1000
    utimesSync(join(folder, nameOf(n).slice(0, 2), nameOf(n), 'plan.json'), at, at)
  }
  t.strictSame(
    (await store.sets()).map(({ fingerprint }) => fingerprint),
    [1, 2, 3].map(nameOf),
  )
  await store.sheet(nameOf(1), { width: 320, sheet: 0 })
  for (let patience = 0; patience < 2_000 && (await store.sets())[0]?.fingerprint === nameOf(1); patience++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  t.equal(await store.keep(nameOf(4), making(1, 4096 * 2), true), 'kept')
  t.strictSame((await store.sets()).map(({ fingerprint }) => fingerprint).sort(), [1, 3, 4].map(nameOf))
  t.equal(await store.keep(nameOf(5), making(20, 4096), true), 'no-room', 'larger than all of it')
  t.ok((await store.sets()).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= 12 * 4096)
})

t.test('where the budget is used up, all sets are not looked through again for each sheet: some more make room', async (t) => {
  const { store } = open(join(t.testdir(), 'trickplay'), { budgetBytes: 400 * 4096 })
  for (let n = 0; n < 100; n++) t.equal(await store.keep(nameOf(n), making(1, 4096 * 2), true), 'kept')
  t.equal((await store.sets()).length, 100)
  t.equal(await store.keep(nameOf(100), making(1, 4096 * 2), true), 'kept')
  t.equal((await store.sets()).length, 98)
})

t.test('what has long been in the catalogue takes no turns: where the budget is used up it is not begun', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const { store, problems } = open(folder, { budgetBytes: 5 * 1024 * 1024 })
  t.equal(await store.keep(nameOf(1), making(1, 2 * 1024 * 1024), false), 'kept')
  let begun = false
  const never = async () => {
    begun = true
    return undefined
  }
  t.equal(await store.keep(nameOf(2), never, false), 'no-room')
  t.notOk(begun)
  t.ok(await store.plan(nameOf(1)))
  t.strictSame(problems, [])
})

t.test('a full disk is reported once, keeps no partial file, and is not retried for a while', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  let free = 100e9
  const { store, problems, clock } = open(folder, { freeBytes: async () => free })
  await store.keep(nameOf(1), making(1, 10), true)
  free = 1e9
  await clock.advance(2000)
  t.equal(await store.keep(nameOf(2), making(1, 10), true), 'disk-trouble')
  free = 100e9
  t.equal(await store.keep(nameOf(2), making(1, 10), true), 'disk-trouble')
  t.strictSame(problems, ['Thumbnails of films are not made: The disk is full'])
  await clock.advance(31_000)
  t.equal(await store.keep(nameOf(2), making(1, 10), true), 'kept')
  t.ok(await store.plan(nameOf(1)), 'what is there is still shown')
})

t.test('a plan that cannot be read is no plan, and is replaced', async (t) => {
  const folder = join(t.testdir(), 'trickplay')
  const { store } = open(folder)
  await store.keep(nameOf(1), making(1, 10), true)
  const plan = join(folder, '01', nameOf(1), 'plan.json')
  writeFileSync(plan, readFileSync(plan, 'utf8').slice(0, 20))
  t.equal(await store.plan(nameOf(1)), undefined)
  t.equal(await store.sheet(nameOf(1), { width: 320, sheet: 0 }), undefined)
  await store.keep(nameOf(1), making(1, 20), true)
  t.match(await store.plan(nameOf(1)), { sheetBytes: [20] })
  rmSync(folder, { recursive: true })
  t.equal(await store.plan(nameOf(1)), undefined)
  t.equal(await store.keep(nameOf(1), making(1, 20), true), 'kept', 'a lost folder is made again')
})

t.test('nothing but a fingerprint names a folder', async (t) => {
  const { store } = open(join(t.testdir(), 'trickplay'))
  for (const name of ['', '../../etc', nameOf(1).toUpperCase().replace('0', 'G'), `${nameOf(1)}/..`]) {
    await t.rejects(store.plan(name), { message: 'Not a fingerprint' })
    await t.rejects(store.sheet(name, { width: 320, sheet: 0 }), { message: 'Not a fingerprint' })
    await t.rejects(store.remove(name), { message: 'Not a fingerprint' })
  }
})
