import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMediaPaths, mappedPath } from '../../transcode-agent/media-paths.ts'

const MAP = [
  { from: '/films', to: '/mnt/films' },
  { from: '/films/new', to: '/fast' },
  { from: '/', to: '/host' },
]

t.test('the longest folder that fits is exchanged, whole names only', async (t) => {
  for (const [path, place] of [
    ['/films/A (2001)/A.mkv', '/mnt/films/A (2001)/A.mkv'],
    ['/films/new/B.mkv', '/fast/B.mkv'],
    ['/films/newer/C.mkv', '/mnt/films/newer/C.mkv'],
    ['/filmsofmine/D.mkv', '/host/filmsofmine/D.mkv'],
  ] as const) {
    t.equal(mappedPath(path, MAP), place)
  }
  t.equal(mappedPath('/other/E.mkv', MAP.slice(0, 2)), '/other/E.mkv', 'what is not mapped is where the owner has it')
  t.equal(mappedPath('/films/F.mkv', [{ from: '/films', to: '/' }]), '/F.mkv')
})

t.test('a path that could lead out of its folder is at no place', async (t) => {
  for (const path of ['/films/../etc/passwd', '/films/a/..', '/..', 'films/a.mkv', '../a.mkv', '/films/a\0b', '']) {
    t.equal(mappedPath(path, MAP), undefined, path)
  }
  t.equal(mappedPath('/films/Wait... What..mkv', MAP), '/mnt/films/Wait... What..mkv', 'dots in a name are no way out')
})

t.test('what lies there counts when size and time are those of the film', async (t) => {
  const folder = t.testdir({})
  mkdirSync(join(folder, 'here'))
  const modifiedAtMs = Date.parse('2026-01-02T12:00:00.700Z')
  const path = join(folder, 'here', 'film.mkv')
  writeFileSync(path, 'x'.repeat(1000))
  utimesSync(path, modifiedAtMs / 1000, modifiedAtMs / 1000)
  const find = createMediaPaths({ pathMap: [{ from: '/theirs', to: join(folder, 'here') }], clock: createTestClock() })
  const mediaFile = { fileId: 'film', path: '/theirs/film.mkv', sizeBytes: 1000, modifiedAtMs, token: '' }
  t.strictSame(await find(mediaFile), { type: 'found', path })
  t.strictSame(await find({ ...mediaFile, modifiedAtMs: modifiedAtMs + 1_999 }), { type: 'found', path }, 'file systems round')
  t.strictSame(await find({ ...mediaFile, modifiedAtMs: modifiedAtMs + 2_001 }), { type: 'other-version' })
  t.strictSame(await find({ ...mediaFile, sizeBytes: 999 }), { type: 'other-version' })
  t.strictSame(await find({ ...mediaFile, path: '/theirs/other.mkv' }), { type: 'absent' })
  t.strictSame(await find({ ...mediaFile, path: '/theirs' }), { type: 'absent' }, 'a folder is no film')
})

t.test('an agent with folders of its own opens nothing elsewhere, also not by way of a link', async (t) => {
  const folder = t.testdir({ films: { 'film.mkv': 'a film' }, private: { 'letter.mkv': 'a secret' } })
  const [films, letter] = [join(folder, 'films'), join(folder, 'private', 'letter.mkv')]
  symlinkSync(letter, join(films, 'link.mkv'))
  const find = createMediaPaths({ pathMap: [], roots: [films], clock: createTestClock() })
  const of = (path: string) => {
    const { size: sizeBytes, mtimeMs: modifiedAtMs } = statSync(path)
    return { fileId: 'film', path, sizeBytes, modifiedAtMs, token: '' }
  }
  t.match(await find(of(join(films, 'film.mkv'))), { type: 'found' })
  for (const path of [letter, join(films, 'link.mkv')]) t.strictSame(await find(of(path)), { type: 'absent' }, path)
})
