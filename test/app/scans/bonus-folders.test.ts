import t from 'tap'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

const FILM = '/films/Alien (1979)/Alien.1979.1080p.mkv'

t.test('bonus material in folders beside a film is no film, also when only its folder is scanned', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put(FILM)
  for (const name of ['Shorts', 'scenes', 'Other/Disc 1', 'Clips', 'Backdrops', 'Specials'])
    node.mediaFiles.put(`/films/Alien (1979)/${name}/one.mkv`)
  const libraryId = await node.newLibrary('/films')
  t.match(await node.scan(libraryId), { state: 'completed', counts: { seen: 1, added: 1, ignored: 6 } })
  node.mediaFiles.put('/films/Alien (1979)/Other/Disc 2/two.mkv')
  t.match(await node.scan(libraryId, { paths: ['/films/Alien (1979)/Other/Disc 2'] }), { counts: { seen: 1, added: 0, missing: 0 } })
  t.strictSame(node.problems, [])
})

t.test('folders of films may have the names of bonus folders', async (t) => {
  const node = await openNodeFixture(t)
  const films = [
    'Loose (1999).mkv',
    'Shorts/Vincent (1982).mkv',
    'Shorts/Frankenweenie (1984)/Frankenweenie.mkv',
    'Animation/Akira (1988).mkv',
    'Animation/Shorts/Geri’s Game (1997).mkv',
    'Other/Specials/Elf (2003)/Elf.mkv',
  ]
  for (const film of films) node.mediaFiles.put(`/films/${film}`)
  const libraryId = await node.newLibrary('/films')
  t.match(await node.scan(libraryId), { state: 'completed', counts: { seen: films.length, added: films.length, ignored: 0 } })
  t.strictSame(node.problems, [])
})
