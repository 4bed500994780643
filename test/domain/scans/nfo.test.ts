import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readNfo } from '../../../src/domain/scans/nfo.ts'
import type { ManifestNfo } from '../../fixtures/media-files.ts'
import { mediaSet } from '../../fixtures/media-files.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const movie = (inside: string) => readNfo(bytes(`<?xml version="1.0" encoding="UTF-8"?>\n<movie>${inside}</movie>\n`))
const set = mediaSet()
const withoutSet = set ? {} : { skip: 'the media set is not here' }

t.test('every .nfo of the media set says what its manifest says', withoutSet, async (t) => {
  const sidecars = (set?.manifest.sidecars ?? []).filter((sidecar): sidecar is ManifestNfo => sidecar.kind === 'nfo')
  t.equal(sidecars.length, 11)
  for (const nfo of sidecars) t.strictSame(readNfo(readFileSync(join(set?.root ?? '', nfo.path))), expected(nfo), nfo.path)
})

t.test('the damaged .nfo of the media set says nothing', withoutSet, async (t) => {
  t.equal(readNfo(readFileSync(join(set?.broken ?? '', 'Bad Neighbours (2008)', 'movie.nfo'))), undefined)
})

t.test('text comes from entities, CDATA and careless ampersands; a letter in capitals is the same element', async (t) => {
  t.strictSame(movie('<title>Tom &amp; Jerry &#233;</title>'), { title: 'Tom & Jerry é' })
  t.strictSame(movie('<title>Tom & Jerry</title><plot><![CDATA[a & <b>]]></plot>'), { title: 'Tom & Jerry', overview: 'a & <b>' })
  t.strictSame(readNfo(bytes('<MOVIE><Title>Loud</Title></MOVIE>')), { title: 'Loud' })
})

t.test('control characters are spaces', async (t) => {
  const found = movie('<title>\u0007Some\u0000Film\u009b</title><plot>One.\nTwo\u0000</plot><genre>\u0000</genre>')
  t.strictSame(found, { title: 'Some Film', overview: 'One.\nTwo' })
})

t.test('encodings are recognised by their marks, else UTF-8, else the declaration, else Western', async (t) => {
  const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><movie><title>Größe</title></movie>`
  const utf16 = Buffer.from(`\ufeff${xml('utf-16')}`, 'utf16le')
  const files = [
    Buffer.from(`\ufeff${xml('utf-8')}`),
    Buffer.from(xml('iso-8859-1')),
    utf16,
    utf16.swap16(),
    Buffer.from(xml('iso-8859-1'), 'latin1'),
  ]
  for (const [index, file] of files.entries()) t.strictSame(readNfo(file), { title: 'Größe' }, `file ${index}`)
  const cyrillic = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="windows-1251"?><movie><title>'),
    Buffer.from([0xc1, 0xe0, 0xea]),
  ])
  t.strictSame(readNfo(Buffer.concat([cyrillic, Buffer.from('</title></movie>')])), { title: 'Бак' })
  t.strictSame(readNfo(Buffer.from('<movie><title>Größe</title></movie>', 'latin1')), { title: 'Größe' })
})

t.test('a rating is the default one, from 0 to 10, and 0 is none', async (t) => {
  const ratings = (inside: string) => movie(`<title>x</title>${inside}`)?.rating
  const two = '<rating name="a"><value>1</value></rating><rating name="b" max="100" default="true"><value>75</value></rating>'
  t.equal(ratings(`<ratings>${two}</ratings>`), 7.5)
  t.equal(ratings('<rating>7,5</rating>'), 7.5)
  for (const none of ['<rating>0.0</rating>', '<rating>eleven</rating>', '<rating>11</rating>', '<rating>-3</rating>', ''])
    t.equal(ratings(none), undefined)
})

t.test('the certificate loses its preamble, lists their doubles and slashes', async (t) => {
  t.strictSame(movie('<mpaa>Rated PG-13 for some violence</mpaa>'), { contentRating: 'PG-13' })
  t.strictSame(movie('<genre>Drama / Comedy</genre><genre>drama</genre><set>A Set</set>'), {
    genres: ['Drama', 'Comedy'],
    collection: 'A Set',
  })
  t.strictSame(movie('<languages>English, German</languages>'), undefined, 'names are no codes')
  t.strictSame(movie('<languages>eng, de</languages>'), { languages: ['en', 'de'] })
})

t.test('actors come in their order, writers and directors with their jobs', async (t) => {
  const actors =
    '<actor><name>B</name><order>1</order></actor><actor><name>A</name><role>Hero</role><order>0</order></actor><actor><role>x</role></actor>'
  t.strictSame(movie(`${actors}<director>D</director><credits>W / D</credits><writer>W</writer>`), {
    cast: [
      { name: 'A', character: 'Hero' },
      { name: 'B', character: null },
    ],
    crew: [
      { name: 'D', job: 'Director', department: 'Directing' },
      { name: 'W', job: 'Writer', department: 'Writing' },
      { name: 'D', job: 'Writer', department: 'Writing' },
    ],
  })
})

t.test('identifiers come from their elements, old and new, else from the address beside the XML', async (t) => {
  const ids = (inside: string) => movie(inside)?.externalIds
  t.strictSame(ids('<uniqueid type="IMDB">tt0032599</uniqueid><uniqueid type="tmdb">3085</uniqueid>'), { imdb: 'tt0032599', tmdb: '3085' })
  t.strictSame(ids('<id>tt0032599</id><tmdbid>3085</tmdbid>'), { imdb: 'tt0032599', tmdb: '3085' })
  t.strictSame(ids('<uniqueid type="tmdb">3085; drop</uniqueid><id>12</id>'), undefined)
  const outside = '<movie><title>x</title></movie>\nhttps://www.themoviedb.org/movie/3085-his-girl-friday'
  t.strictSame(readNfo(bytes(outside)), { title: 'x', externalIds: { imdb: null, tmdb: '3085' } })
  t.strictSame(readNfo(bytes('see https://www.imdb.com/title/tt0032599/')), { externalIds: { imdb: 'tt0032599', tmdb: null } })
})

t.test('years and days that do not exist say nothing', async (t) => {
  t.strictSame(movie('<year>2008</year><premiered>2008-04-31</premiered>'), { year: 2008 })
  t.strictSame(movie('<premiered>2008-04-10</premiered>'), { year: 2008, releaseDate: '2008-04-10' })
  for (const year of ['20x8', '0', '208', '12008', '-2008', '']) t.equal(movie(`<year>${year}</year>`), undefined, year)
})

t.test('everything is bounded', async (t) => {
  const long = 'x'.repeat(20_000)
  const many = Array.from(
    { length: 300 },
    (_, index) => `<actor><name>${index}</name></actor><genre>${index}</genre><director>${index}</director>`,
  )
  const facts = movie(`<title>${long}</title><plot>${long}</plot>${many.join('')}`)
  const counts = [facts?.title?.length, facts?.overview?.length, facts?.cast?.length, facts?.genres?.length, facts?.crew?.length]
  t.strictSame(counts, [300, 10_000, 200, 100, 100])
  t.equal(movie(`<title>x</title><plot>${'x'.repeat(1_100_000)}</plot>`), undefined, 'a file of more than 1 MiB')
})

t.test('hostile and broken input gives nothing and does not throw', async (t) => {
  const hostile = {
    empty: '',
    'no XML': 'just words',
    unclosed: '<movie><title>x',
    crossed: '<movie><title>x</movie></title>',
    'a prototype': '<movie><__proto__><title>x</title></__proto__></movie>',
    'deep nesting': `<movie>${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}</movie>`,
    'open sections': `<movie>${'<![CDATA['.repeat(100_000)}</movie>`,
    'open tags': '<movie '.repeat(100_000),
    'other root': '<tvshow><title>x</title></tvshow>',
    'only space': '<movie><title>   </title></movie>',
  }
  for (const [name, text] of Object.entries(hostile)) t.equal(readNfo(bytes(text)), undefined, name)
  t.equal(readNfo(Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)), undefined, 'noise')
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
  t.strictSame(readNfo(bytes(`${bomb}<movie><title>&b;&f;</title></movie>`)), { title: '&b;&f;' }, 'no entity of the file is known')
})

/** The facts of a manifest's entry, without missing members. */
function expected(nfo: ManifestNfo): object {
  const withJob = (names: readonly string[], job: string, department: string) => names.map((name) => ({ name, job, department }))
  const { imdb = null, tmdb = null } = nfo.uniqueIds
  const all = {
    title: nfo.title,
    originalTitle: nfo.originalTitle,
    sortTitle: nfo.sortTitle,
    year: nfo.year,
    releaseDate: nfo.premiered,
    overview: nfo.plot,
    tagline: nfo.tagline,
    contentRating: nfo.mpaa,
    rating: nfo.rating,
    collection: nfo.set,
    genres: nfo.genres,
    tags: nfo.tags,
    countries: nfo.countries,
    studios: nfo.studios,
    externalIds: imdb === null && tmdb === null ? null : { imdb, tmdb },
    cast: nfo.actors.map(({ name, role }) => ({ name, character: role })),
    crew: [...withJob(nfo.directors, 'Director', 'Directing'), ...withJob(nfo.writers, 'Writer', 'Writing')],
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)))
}
