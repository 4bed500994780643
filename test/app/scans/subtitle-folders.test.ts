import t from 'tap'
import { openHouse } from '../../fixtures/house.ts'

const FILM = '/films/Alien (1979)/Alien.mkv'

t.test('subtitles in a folder of their own belong to the film above it, and a new one is noticed', async (t) => {
  const house = await openHouse(t)
  house.films.put(FILM)
  house.films.put('/films/Alien (1979)/Subs/2_English.srt')
  house.films.put('/films/Alien (1979)/Beta/Brazil (1985).mkv')
  const libraryId = await house.newLibrary('/films')
  const subtitles = async () => {
    for await (const file of house.documents.files.walk({})) {
      if (file.path === FILM) return file.sidecars.map(({ path, language, forced }) => [path?.split('/').at(-1), language, forced])
    }
    return undefined
  }
  t.match(await house.scan(libraryId), { state: 'completed', counts: { seen: 2, added: 2, ignored: 0 } })
  t.strictSame(await subtitles(), [['2_English.srt', 'en', false]])

  house.films.put('/films/Alien (1979)/Subs/3_German.forced.srt')
  t.match(await house.scan(libraryId, { paths: ['/films/Alien (1979)/Subs'] }), { state: 'completed', counts: { missing: 0 } })
  t.strictSame(await subtitles(), [
    ['2_English.srt', 'en', false],
    ['3_German.forced.srt', 'de', true],
  ])
  t.match(await house.scan(libraryId), { counts: { unchanged: 2, updated: 0 } })

  house.films.remove('/films/Alien (1979)/Subs/2_English.srt')
  await house.scan(libraryId)
  t.strictSame(await subtitles(), [['3_German.forced.srt', 'de', true]])
  t.strictSame(house.problems, [])
})
