import t from 'tap'
import { concernsOthers, concernsScan, fewestFolders, parentOf } from '../../../src/domain/libraries/changed-folders.ts'

t.test('hidden files and files on their way are no reason to scan', async (t) => {
  for (const name of ['A Film (2019)', 'Film.2019', 'a/film.mkv', 'a/film.srt', 'poster.jpg'])
    t.ok(concernsScan(`/films/${name}`, '/films'), name)
  for (const name of ['.hidden/film.mkv', 'a/.film.mkv.swp', 'film.mkv.part', 'Film.crdownload', 'Thumbs.db']) {
    t.notOk(concernsScan(`/films/${name}`, '/films'), name)
  }
  t.ok(concernsScan('/mnt/.media/films/a.mkv', '/mnt/.media/films'), 'where the root lies does not matter')
})

t.test('of what is gone only the companions, and films among others in a folder, concern what is left', async (t) => {
  t.ok(concernsOthers('/films/A/A.srt', '/films'))
  t.ok(concernsOthers('/films/A/A.mkv', '/films'))
  t.notOk(concernsOthers('/films/A.mkv', '/films'))
  t.notOk(concernsOthers('/films/Film.2019', '/films'))
})

t.test('each folder is scanned once, and the roots where there are too many', async (t) => {
  t.strictSame(fewestFolders(['/films/a/b', '/films/a', '/films/a', '/films/ab'], ['/films'], 50), ['/films/a', '/films/ab'])
  const many = Array.from({ length: 51 }, (_, n) => `/films/${n}`)
  t.strictSame(fewestFolders(many, ['/films'], 50), ['/films'])
  t.equal(fewestFolders(many.slice(1), ['/films'], 50).length, 50)
  t.equal(parentOf('/films/a'), '/films')
  t.equal(parentOf('/films'), '/')
})
