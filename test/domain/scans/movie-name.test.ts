import t, { type Test } from 'tap'
import { readMovieName } from '../../../src/domain/scans/movie-name.ts'
import { movieKeys } from '../../../src/events/movie-keys.ts'
import { mediaSet } from '../../fixtures/media-files.ts'

const read = (name: string) => readMovieName(name, 2026)
const titles = (t: Test, names: Readonly<Record<string, readonly [title: string, year: number | null]>>): void => {
  for (const [name, [title, year]] of Object.entries(names)) t.match(read(name), { title, year }, name)
}
const set = mediaSet()

t.test('a year in brackets ends the title', async (t) => {
  titles(t, {
    'A Film (2019)': ['A Film', 2019],
    'A Film [2019]': ['A Film', 2019],
    'A Film (2019-05-01)': ['A Film', 2019],
    'A_Film_(2019).mkv': ['A Film', 2019],
    'A Film (2019) - 1080p HDR.mkv': ['A Film', 2019],
    'Big Buck Bunny - The Complete Short (2008)': ['Big Buck Bunny - The Complete Short', 2008],
    '2001 A Space Odyssey (1968)': ['2001 A Space Odyssey', 1968],
    '1917 (2019)': ['1917', 2019],
    'Blade Runner 2049 (2017)': ['Blade Runner 2049', 2017],
    '(500) Days of Summer (2009)': ['(500) Days of Summer', 2009],
    'E.T. the Extra-Terrestrial (1982)': ['E.T. the Extra-Terrestrial', 1982],
    'Mr. Nobody (2009)': ['Mr. Nobody', 2009],
    '$9.99 (2008).mkv': ['$9.99', 2008],
    '2.0 (2018)': ['2.0', 2018],
    '2012.(2009)': ['2012', 2009],
    'M*A*S*H (1970)': ['M*A*S*H', 1970],
    "Charlotte's Web (2006)": ["Charlotte's Web", 2006],
  })
})

t.test('else the last year that is not the first word ends it', async (t) => {
  titles(t, {
    'A.Film.2019.1080p.WEB-DL.x264-GRP.mkv': ['A Film', 2019],
    'Flower.2019.540p.WEB-DL.x264-CC0.mp4': ['Flower', 2019],
    'E.T.the.Extra-Terrestrial.1982.1080p.BluRay.x264.mkv': ['E.T. the Extra-Terrestrial', 1982],
    'S.W.A.T.2017.1080p.mkv': ['S.W.A.T.', 2017],
    'WALL-E.2008.720p.mkv': ['WALL-E', 2008],
    '2001.A.Space.Odyssey.1968.2160p.mkv': ['2001 A Space Odyssey', 1968],
    '1917.2019.mkv': ['1917', 2019],
    '1917.mkv': ['1917', null],
    'Blade.Runner.2049.2017.2160p.UHD.BluRay.mkv': ['Blade Runner 2049', 2017],
    'CHARLOTTES.WEB.2006.DVDRip.mkv': ['CHARLOTTES WEB', 2006],
    'Film.UNRATED.2004.DVDRip.XviD-GRP.avi': ['Film', 2004],
    'Kill.Bill.Vol.2.2004.1080p.mkv': ['Kill Bill Vol. 2', 2004],
    'A Film 2019': ['A Film', 2019],
  })
})

t.test('years before 1880 and after the year after next are no years', async (t) => {
  titles(t, {
    'A Film (1850)': ['A Film (1850)', null],
    'Blade.Runner.2049.1080p.mkv': ['Blade Runner 2049', null],
    'A.Film.2028.mkv': ['A Film', 2028],
    'A.Film.2029.mkv': ['A Film 2029', null],
    'The Passage of Venus (1874)': ['The Passage of Venus (1874)', null],
  })
})

t.test('release tags and labels are cut', async (t) => {
  titles(t, {
    '[YTS.MX] A Film (2019)': ['A Film', 2019],
    'A.Film.2019.1080p.BluRay.x264-[YTS.MX].mp4': ['A Film', 2019],
    'A Film (2019) {edition-Extended}': ['A Film', 2019],
    'A.Film.EXTENDED.1080p.mkv': ['A Film', null],
    'Film.With.No.Year.1080p.WEB.H264-GRP.mkv': ['Film With No Year', null],
    'A Film - 1080p.mkv': ['A Film', null],
    'A.Film.1964.cd1.avi': ['A Film', 1964],
    '[REC] (2007)': ['REC', 2007],
  })
})

t.test('release tags before a year in brackets are cut, but never the whole title', async (t) => {
  titles(t, {
    'Film (1080p) (2010)': ['Film', 2010],
    'Film 4K (2010)': ['Film', 2010],
    'Film (4K HDR) (2010).mkv': ['Film', 2010],
    'Film (DVD 576p) (2010).mkv': ['Film', 2010],
    'Movie Title 1080p BluRay (2010)': ['Movie Title', 2010],
    'Movie.Title.UHD.(2010)': ['Movie Title', 2010],
    'Movie Title (1080p).mkv': ['Movie Title', null],
    'Movie.Title.4K.mkv': ['Movie Title', null],
    '1080p (2010)': ['1080p', 2010],
    '4K (2010)': ['4K', 2010],
    'London Rooftops HDR (2022)': ['London Rooftops HDR', 2022],
    'South Park - Bigger, Longer & Uncut (1999)': ['South Park - Bigger, Longer & Uncut', 1999],
    'The Limited (2010)': ['The Limited', 2010],
  })
})

t.test('titles of any script are read, composed', async (t) => {
  titles(t, {
    'Великий кролик Бак (2008)': ['Великий кролик Бак', 2008],
    'Великий.кролик.Бак.2008.mkv': ['Великий кролик Бак', 2008],
    '千と千尋の神隠し.2001.1080p.mkv': ['千と千尋の神隠し', 2001],
    '千と千尋の神隠し（2001）': ['千と千尋の神隠し', 2001],
    [`Ame\u0301lie (2001)`]: ['Am\u00e9lie', 2001],
  })
})

t.test('a name that is only a year, dots or an extension is still a title', async (t) => {
  for (const name of ['(2019).mkv', '...', '.mkv', '[]', '-', '{tmdb-1}', 'x'.repeat(5000)]) {
    const { title } = read(name)
    t.ok(title.length > 0 && title.length <= 300, name.slice(0, 20))
  }
})

t.test('identifiers in a name are read', async (t) => {
  t.strictSame(read('A Film (2019) {tmdb-123}').externalIds, { tmdb: '123', imdb: null })
  t.strictSame(read('A Film (2019) [tmdbid=123]').externalIds, { tmdb: '123', imdb: null })
  t.strictSame(read('A Film (2019) [imdbid-tt0123456].mkv').externalIds, { tmdb: null, imdb: 'tt0123456' })
  t.strictSame(read('A Film (2019) {imdb-tt0123456} {tmdb-123}').externalIds, { tmdb: '123', imdb: 'tt0123456' })
  t.match(read('A.Film.2019.tt0123456.1080p.mkv'), { title: 'A Film', year: 2019, externalIds: { imdb: 'tt0123456' } })
  t.strictSame(read('Attack (2019) {tmdb-x} matt0123456.mkv').externalIds, { tmdb: null, imdb: null })
})

t.test('the names of the media set are read as its manifest says', set ? {} : { skip: 'the media set is not here' }, async (t) => {
  for (const film of set?.manifest.files ?? []) {
    const name = film.path.split('/').at(-1) ?? ''
    const { titleFromName, yearFromName } = film.expected
    t.match(read(name), { title: titleFromName, year: yearFromName }, film.path)
  }
})

t.test('a film is known by its explicit ids, then by title and year with case and diacritics folded', async (t) => {
  t.strictSame(movieKeys(read('Amélie (2001) {imdb-tt0211433} {tmdb-194}')), ['tmdb:194', 'imdb:tt0211433', 'title:amelie:2001'])
  t.strictSame(movieKeys(read('AMELIE.2001.mkv')), ['title:amelie:2001'])
  for (const name of ['Kill Bill Vol. 1 (2003)', 'Kill.Bill.Vol.1.2003.mkv', 'Kill Bill Vol 1 (2003)', 'Kill_Bill_Vol.1_2003.mkv'])
    t.strictSame(movieKeys(read(name)), ['title:kill bill vol. 1:2003'], name)
  t.match(read('Vol.93.2006.mkv'), { title: 'Vol 93' })
  t.strictSame(movieKeys(read('Amélie')), ['title:amelie:'])
})
