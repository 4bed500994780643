import t from 'tap'
import { nameInFolder } from '../../../src/domain/scans/name-in-folder.ts'
import { videosInFolder } from '../../../src/domain/scans/videos-in-folder.ts'

const said = ({ title, year }: { readonly title: string; readonly year: number | null }) => `${title} (${year})`
/** The names of the film files of one folder, by file. */
function named(folderName: string, names: readonly string[]): Readonly<Record<string, string>> {
  const path = `/films/${folderName}`
  const files = names.map((name) => ({ name, path: `${path}/${name}`, sizeBytes: 10 }))
  const { videos } = videosInFolder({ path, files }, { root: '/films', thisYear: 2026 })
  return Object.fromEntries(videos.map(({ file, name }) => [file.name, said(name())]))
}
const one = (folderName: string, name: string, alone = true) => said(nameInFolder({ name }, { folderName, alone, thisYear: 2026 }))

t.test('the other films of a series are themselves in the folder of the first one, whether it is there or not', async (t) => {
  t.strictSame(named('Rocky', ['Rocky.mkv', 'Rocky II.mkv', 'Rocky II - 1080p.mkv', 'Rocky.III.1080p.mkv', 'Rocky Balboa (2006).mkv']), {
    'Rocky.mkv': 'Rocky (null)',
    'Rocky II.mkv': 'Rocky II (null)',
    'Rocky II - 1080p.mkv': 'Rocky II (null)',
    'Rocky.III.1080p.mkv': 'Rocky III (null)',
    'Rocky Balboa (2006).mkv': 'Rocky Balboa (2006)',
  })
  t.strictSame(named('Alien', ['Alien.mkv', 'Alien 3.mkv']), { 'Alien.mkv': 'Alien (null)', 'Alien 3.mkv': 'Alien 3 (null)' })
  for (const alone of [true, false]) {
    t.equal(one('Rocky', 'rocky ii.mkv', alone), 'rocky ii (null)')
    t.equal(one('Toy Story', 'Toy Story 2 (1999).mkv', alone), 'Toy Story 2 (1999)')
    t.equal(one('Star Wars', 'Star Wars - Return of the Jedi (1983).mkv', alone), 'Star Wars - Return of the Jedi (1983)')
    t.equal(one('Star Wars', 'Star Wars Episode IV - A New Hope.mkv', alone), 'Star Wars Episode IV - A New Hope (null)')
    t.equal(one('John Wick', 'John.Wick.Chapter.2.2017.1080p.mkv', alone), 'John Wick Chapter 2 (2017)')
    t.equal(one('John Wick', 'John.Wick.Chapter.2.mkv', alone), 'John Wick Chapter 2 (null)')
    t.equal(one('Dune', 'Dune - Part Two.mkv', alone), 'Dune - Part Two (null)')
    t.equal(one('Blade Runner', 'Blade Runner 2049.mkv', alone), 'Blade Runner 2049 (null)')
    t.equal(one("Ocean's", 'Ocean’s 11.mkv', alone), 'Ocean’s 11 (null)')
  }
})

t.test('the versions of a film have the name of its folder', async (t) => {
  const versions = [
    '',
    ' - 1080p',
    ' - 1080',
    " - Director's Cut",
    ' - Extended',
    ' 4K',
    '.2160p',
    ' - 4K HDR',
    ' (2)',
    '-2',
    ' copy',
    ' 5.1',
    ' 3D',
    ' cd1',
    '.part2',
    ' - Disc 2',
  ]
  for (const rest of versions) t.equal(one('Film', `Film${rest}.mkv`, false), 'Film (null)', rest)
  const withYears = [
    ' (1999)',
    ' (1999) - 2',
    " - Director's Cut (1999)",
    ' - The Final Cut (1999)',
    ' (25th Anniversary Edition) (1999)',
    '.EXTENDED.1999.1080p',
    '.German.1999.DVDRip',
    ' 4K (1999)',
  ]
  for (const rest of withYears) t.equal(one('Film', `Film${rest}.mkv`, false), 'Film (1999)', rest)
})

t.test('a folder with a year or an id names all films in it that have no year', async (t) => {
  t.strictSame(named('Film (1999)', ['Film (1999).mkv', 'Film (1999) - 2.mkv', 'Film 2.mkv']), {
    'Film (1999).mkv': 'Film (1999)',
    'Film (1999) - 2.mkv': 'Film (1999)',
    'Film 2.mkv': 'Film (1999)',
  })
  t.equal(one('Film {tmdb-12}', 'Film 2.mkv'), 'Film (null)')
})

t.test('a number may be part of the title of the folder', async (t) => {
  for (const title of ['300', 'Apollo 13', '2 Fast 2 Furious', 'Se7en', "Ocean's Eleven", '1917', 'X', 'District 9', 'Malcolm X']) {
    t.equal(one(title, `${title}.mkv`), `${title} (null)`)
    t.equal(one(title, `${title} - 1080p.mkv`, false), `${title} (null)`)
  }
  t.equal(one('Apollo 13', 'Apollo.13.1995.1080p.mkv'), 'Apollo 13 (1995)')
})
