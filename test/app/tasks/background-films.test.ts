import t, { type Test } from 'tap'
import { takeFilms, type BackgroundFilms, type FilmTask } from '../../../src/app/tasks/background-films.ts'
import { allowed, openHouse, ORIGIN, type House } from '../../fixtures/house.ts'

const ALIEN = '/films/Alien (1979).mkv'
const BRAZIL = '/series/Brazil (1985).mkv'

interface Changed extends Partial<BackgroundFilms> {
  /** Each film takes until then. */
  readonly taking?: Promise<void>
}

/** Takes films until the test ends. Gives what lets time pass until so many were taken, and tells their paths. */
function start(t: Test, house: House, { taking = Promise.resolve(), ...changed }: Changed = {}) {
  const { access, documents, freshness } = house
  const taken: string[] = []
  const stopping = new AbortController()
  const task: FilmTask = {
    isKept: async () => false,
    async make({ path }) {
      taken.push(path)
      await taking
    },
  }
  const ended = takeFilms({ access, documents, freshness, log: house.town.log, ...changed }, task, stopping.signal)
  t.teardown(async () => {
    stopping.abort(new Error('enough'))
    await ended.catch((cause: unknown) => t.match(cause, { message: 'enough' }))
  })
  return async function until(count: number): Promise<readonly string[]> {
    for (let turn = 0; turn < 200 && taken.length < count; turn++) await house.clock.advance(10)
    await house.clock.advance(100)
    return taken.splice(0)
  }
}

t.test('a film that the views do not hold yet at the start is not passed over', async (t) => {
  const house = await openHouse(t)
  house.films.put(ALIEN)
  await house.scan(await house.newLibrary('/films'))
  const { files } = house.documents
  let isBehind = true
  const behind = { ...files, walk: ((...asked) => (isBehind ? nothing() : files.walk(...asked))) satisfies typeof files.walk }
  const reach = async () => void (isBehind = false)
  const until = start(t, house, { documents: { files: behind }, freshness: { reach } })
  t.strictSame(await until(1), [ALIEN])
})

t.test('films of a library that was removed are left alone until it is back', async (t) => {
  const house = await openHouse(t)
  const { caller } = await house.person({ role: 'admin' })
  for (const path of [ALIEN, BRAZIL]) house.films.put(path)
  const libraryId = await house.newLibrary('/films')
  await house.scan(libraryId)
  await house.scan(await house.newLibrary('/series'))
  t.equal(await house.libraries.remove(caller, libraryId, ORIGIN), undefined)
  const until = start(t, house)
  t.strictSame(await until(1), [BRAZIL])
  allowed(await house.libraries.restore(caller, libraryId, ORIGIN))
  t.ok((await until(1)).includes(ALIEN))
})

t.test('films whose drive was away at the start are taken once it is back', async (t) => {
  const house = await openHouse(t)
  house.films.put(ALIEN)
  const libraryId = await house.newLibrary('/films')
  await house.scan(libraryId)
  house.films.setHealth('/films', { available: false, reason: 'missing' })
  await house.scan(libraryId)
  const until = start(t, house)
  t.strictSame(await until(1), [ALIEN], 'it cannot be read now')
  house.films.setHealth('/films', { available: true, device: 1, empty: false })
  await house.scan(libraryId)
  t.strictSame(await until(1), [ALIEN])
})

t.test('a drive that has come back many times while films were read brings its films once more', async (t) => {
  const house = await openHouse(t)
  for (const path of [ALIEN, BRAZIL]) house.films.put(path)
  const libraryId = await house.newLibrary('/films')
  await house.scan(libraryId)
  await house.scan(await house.newLibrary('/series'))
  const { promise, resolve } = Promise.withResolvers<void>()
  const until = start(t, house, { taking: promise })
  const first = await until(1)
  for (let times = 0; times < 4; times++) {
    house.films.setHealth('/films', { available: false, reason: 'missing' })
    await house.scan(libraryId)
    house.films.setHealth('/films', { available: true, device: 1, empty: false })
    await house.scan(libraryId)
  }
  resolve()
  const all = [...first, ...(await until(2))]
  t.strictSame(all.toSorted(), [ALIEN, ALIEN, BRAZIL], 'at the start, and once more')
  t.equal((await house.events()).filter(({ type }) => type === 'LibraryCameOnline').length, 4)
})

t.test('a film that was not at its place is taken once it is found again', async (t) => {
  const house = await openHouse(t)
  const other = '/films/Brazil (1985)/Brazil (1985).mkv'
  for (const path of [ALIEN, other]) house.films.put(path)
  const libraryId = await house.newLibrary('/films')
  await house.scan(libraryId)
  house.films.remove(ALIEN)
  await house.scan(libraryId)
  const until = start(t, house)
  t.strictSame(await until(1), [other])
  house.films.put(ALIEN)
  await house.scan(libraryId)
  t.strictSame(await until(1), [ALIEN])
})

async function* nothing(): AsyncGenerator<never> {}
