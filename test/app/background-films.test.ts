import t from 'tap'
import { takeFilms } from '../../src/app/background-films.ts'
import { openHouse } from './house.ts'

t.test('a film that the views do not hold yet at the start is not passed over', async (t) => {
  const house = await openHouse(t)
  house.films.put('/films/Alien (1979).mkv')
  await house.scan(await house.newLibrary('/films'))
  const { files } = house.documents
  let isBehind = true
  const behind = { ...files, walk: ((...asked) => (isBehind ? nothing() : files.walk(...asked))) satisfies typeof files.walk }
  const reach = async () => void (isBehind = false)
  const taken: string[] = []
  const stopping = new AbortController()
  const task = takeFilms(
    { documents: { files: behind }, freshness: { reach }, log: house.town.log },
    async ({ path }) => {
      taken.push(path)
      stopping.abort(new Error('enough'))
    },
    stopping.signal,
  )
  await task.catch((cause: unknown) => t.match(cause, { message: 'enough' }))
  t.strictSame(taken, ['/films/Alien (1979).mkv'])
})

async function* nothing(): AsyncGenerator<never> {}
