/** Files of a movie whose match an administrator has pinned. */
import t from 'tap'
import { allowed, ORIGIN } from '../../fixtures/node-fixture.ts'
import { scannedFilms } from '../../fixtures/scanned-films.ts'

const FOO = '/films/Foo (2001)/Foo (2001).mkv'
const BAR = '/films/Bar (2001) {tmdb-1234}/Bar.mkv'
const BY_ID = { tmdb: '1234', imdb: null, title: null, year: null }

for (const [pin, name] of [
  [BY_ID, 'an id'],
  [{ tmdb: null, imdb: null, title: 'Bar', year: 2001 }, 'a title'],
] as const) {
  t.test(`a file whose movie was pinned to ${name} stays when it is renamed, and when it gets an .nfo`, async (t) => {
    const films = await scannedFilms(t, { [FOO]: {} })
    const { node, scan } = films
    const admin = await node.person({ role: 'admin' })
    if (pin.tmdb === null) node.mediaFiles.put('/films/Foo (2001) - 4K.mkv')
    await scan()
    const [foo] = await films.movies()
    allowed(await node.movieCorrections.pinMatch(admin.caller, foo?.id ?? '', pin, ORIGIN))
    if (pin.tmdb !== null) node.mediaFiles.put(BAR)
    await scan()
    node.mediaFiles.move(FOO, '/films/Foo 4K (2001)/Foo (2001).mkv')
    t.match(await scan(), { counts: { moved: 1, added: 0, missing: 0 } })
    node.mediaFiles.put('/films/Foo 4K (2001)/Foo (2001).nfo', { content: '<movie><title>Alien</title><year>1979</year></movie>' })
    t.match(await scan(), { counts: { updated: 1, added: 0, missing: 0 } })
    const after = await films.movies()
    t.equal(after.length, 1)
    t.match(after, [{ id: foo?.id, there: { length: 2 } }])
  })
}

t.test('an explicit id outranks a pinned one, and what joined a pinned movie by its name leaves it by its name', async (t) => {
  const films = await scannedFilms(t, { [FOO]: {} })
  const { node, scan } = films
  const admin = await node.person({ role: 'admin' })
  const [foo] = await films.movies()
  allowed(await node.movieCorrections.pinMatch(admin.caller, foo?.id ?? '', BY_ID, ORIGIN))
  node.mediaFiles.put(BAR)
  await scan()
  t.equal((await films.movies()).length, 1)
  node.mediaFiles.move(BAR, '/films/Baz (2003).mkv')
  t.match(await scan(), { counts: { added: 1, missing: 1 } })
  node.mediaFiles.put(BAR)
  await scan()
  node.mediaFiles.move(FOO, FOO.replace('(2001)/', '(2001) {tmdb-5}/'))
  t.match(await scan(), { counts: { added: 1, missing: 1 } })
  t.match((await films.movies()).find(({ id }) => id === foo?.id)?.there, ['Bar (2001) {tmdb-1234}/Bar.mkv'])
})

t.test('a version that is renamed to another id leaves a pinned movie, although no other version names an id', async (t) => {
  const films = await scannedFilms(t, { [FOO]: {}, '/films/Foo (2001) - 4K.mkv': {} })
  const { node, scan } = films
  const admin = await node.person({ role: 'admin' })
  const [foo] = await films.movies()
  allowed(await node.movieCorrections.pinMatch(admin.caller, foo?.id ?? '', BY_ID, ORIGIN))
  node.mediaFiles.move(FOO, FOO.replace('(2001)/', '(2001) {tmdb-5}/'))
  t.match(await scan(), { counts: { added: 1, missing: 1 } })
  t.match((await films.movies()).find(({ id }) => id === foo?.id)?.there, ['Foo (2001) - 4K.mkv'])
})

t.test('a file with the pinned id joins its movie, whatever id the name of the other one says', async (t) => {
  const films = await scannedFilms(t, { '/films/Foo (2001) {tmdb-5}/Foo.mkv': {} })
  const { node, scan } = films
  const admin = await node.person({ role: 'admin' })
  const [foo] = await films.movies()
  allowed(await node.movieCorrections.pinMatch(admin.caller, foo?.id ?? '', BY_ID, ORIGIN))
  // Read after the other one.
  node.mediaFiles.put(BAR.replace('/films/', '/films/Z/'))
  t.match(await scan({ mode: 'full' }), { counts: { added: 1, unchanged: 1 } })
  t.match(await films.movies(), [{ id: foo?.id, there: { length: 2 } }])
})
