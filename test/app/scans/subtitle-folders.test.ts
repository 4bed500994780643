import t from 'tap'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

const FILM = '/films/Alien (1979)/Alien.mkv'

t.test('subtitles in a folder of their own belong to the film above it, and a new one is noticed', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put(FILM)
  node.mediaFiles.put('/films/Alien (1979)/Subs/2_English.srt')
  node.mediaFiles.put('/films/Alien (1979)/Beta/Brazil (1985).mkv')
  const libraryId = await node.newLibrary('/films')
  const subtitles = async () => {
    for await (const file of node.readModels.files.walk({})) {
      if (file.path === FILM) return file.sidecars.map(({ path, language, forced }) => [path?.split('/').at(-1), language, forced])
    }
    return undefined
  }
  t.match(await node.scan(libraryId), { state: 'completed', counts: { seen: 2, added: 2, ignored: 0 } })
  t.strictSame(await subtitles(), [['2_English.srt', 'en', false]])

  node.mediaFiles.put('/films/Alien (1979)/Subs/3_German.forced.srt')
  t.match(await node.scan(libraryId, { paths: ['/films/Alien (1979)/Subs'] }), { state: 'completed', counts: { missing: 0 } })
  t.strictSame(await subtitles(), [
    ['2_English.srt', 'en', false],
    ['3_German.forced.srt', 'de', true],
  ])
  t.match(await node.scan(libraryId), { counts: { unchanged: 2, updated: 0 } })

  node.mediaFiles.remove('/films/Alien (1979)/Subs/2_English.srt')
  await node.scan(libraryId)
  t.strictSame(await subtitles(), [['3_German.forced.srt', 'de', true]])
  t.strictSame(node.problems, [])
})
