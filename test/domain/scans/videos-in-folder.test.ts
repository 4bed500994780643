import t from 'tap'
import type { FolderVideo, FolderFile } from '../../../src/domain/scans/videos-in-folder.ts'
import { videosInFolder } from '../../../src/domain/scans/videos-in-folder.ts'
import { MAX_SUBTITLE_BYTES } from '../../../src/vocabulary/subtitle-format.ts'

const surroundings = { root: '/films', thisYear: 2026 }
const folder = (path: string, names: readonly string[]) => ({
  path,
  files: names.map((name) => ({ name, path: `${path}/${name}`, sizeBytes: 10 })),
})
const read = (path: string, names: readonly string[]) => videosInFolder(folder(path, names), surroundings)
const said = ({ name }: FolderVideo<FolderFile>) => `${name().title} (${name().year})`
const nameOf = (path: string | null): string | null => path?.split('/').at(-1) ?? null
const beside = (film: FolderVideo<FolderFile> | undefined) => ({
  nfo: nameOf(film?.nfoPath ?? null),
  ...Object.fromEntries(Object.entries(film?.artworkPaths ?? {}).map(([kind, path]) => [kind, nameOf(path)])),
  subtitles: film?.subtitles.map(({ path }) => nameOf(path)) ?? [],
})

t.test('a film alone in its folder is called as the folder', async (t) => {
  t.strictSame(read('/films/A Film (2019)', ['whatever.mkv']).videos.map(said), ['A Film (2019)'])
  t.strictSame(read('/films/A Film', ['a.film.2019.1080p.mkv']).videos.map(said), ['A Film (2019)'])
  t.strictSame(read('/films/A Film', ['movie.mkv']).videos.map(said), ['A Film (null)'])
  t.match(read('/films/A Film (2019)', ['movie {tmdb-12}.mkv']).videos[0]?.name(), { title: 'A Film', externalIds: { tmdb: '12' } })
})

t.test("a folder that is no film's leaves the files their own names", async (t) => {
  t.strictSame(read('/films', ['A.Film.2019.mkv']).videos.map(said), ['A Film (2019)'])
  t.strictSame(read('/films/Westerns', ['A.Film.2019.mkv']).videos.map(said), ['A Film (2019)'])
  t.strictSame(read('/films/Bond', ['Dr. No (1962).mkv', 'Goldfinger (1964).mkv']).videos.map(said), ['Dr. No (1962)', 'Goldfinger (1964)'])
  t.strictSame(read('/films/A Film', ['A Film (1990).mkv', 'A Film (2010).mkv']).videos.map(said), ['A Film (1990)', 'A Film (2010)'])
})

t.test('the name of a film folder counts before quite different names of the files in it', async (t) => {
  t.strictSame(read('/films/A Film (2019)', ['grp-xyz-1080p.mkv']).videos.map(said), ['A Film (2019)'])
  t.strictSame(read('/films/A Film (2019)', ['Other Words (2018).mkv']).videos.map(said), ['A Film (2019)'])
  t.strictSame(read('/films/A Film (2019)', ['theatrical.mkv', 'extended.mkv']).videos.map(said), ['A Film (2019)', 'A Film (2019)'])
  t.strictSame(read('/films/A Film {tmdb-12}', ['one.mkv', 'two.mkv']).videos.map(said), ['A Film (null)', 'A Film (null)'])
  const best = ['A Film (2019).mkv', 'Another (2019).mkv']
  t.strictSame(
    read('/films/Best of 2019', best).videos.map(said),
    ['A Film (2019)', 'Another (2019)'],
    'films that say their years are themselves',
  )
})

t.test('versions in one folder are one movie and share its pictures, but not the subtitles of one of them', async (t) => {
  const { videos: films } = read('/films/A Film (2019)', [
    'A Film (2019) - 4K.mkv',
    'A Film (2019) - HD.mkv',
    'A Film (2019) - HD.en.srt',
    'movie.nfo',
    'poster.jpg',
  ])
  t.strictSame(films.map(said), ['A Film (2019)', 'A Film (2019)'])
  t.match(films.map(beside), [
    { nfo: 'movie.nfo', poster: 'poster.jpg', subtitles: [] },
    { nfo: 'movie.nfo', poster: 'poster.jpg', subtitles: ['A Film (2019) - HD.en.srt'] },
  ])
})

t.test('a subtitle that is named after the film, or after none, belongs to all versions in its folder', async (t) => {
  const names = ['It (1990) - 1080p.mkv', 'It (1990) - 720p.mkv', 'It (1990).en.forced.srt', 'It (1990).srt', 'Deutsch.srt']
  const { path, files } = folder('/films/It (1990)', [...names, 'It (1990) - 720p.fr.srt'])
  const { files: subtitles } = folder('/films/It (1990)/Subs', ['2_Italian.srt'])
  const { videos: films, ignored } = videosInFolder({ path, files, subtitles }, surroundings)
  t.strictSame(
    films.map((film) => film.subtitles.map(({ language, forced }) => `${language}${forced ? ' forced' : ''}`)),
    [
      ['en forced', 'null', 'de', 'it'],
      ['en forced', 'null', 'de', 'fr', 'it'],
    ],
  )
  t.equal(ignored, 0)
  const plain = read('/films/It (1990)', ['It (1990).mkv', 'It (1990) - 4K.mkv', 'It (1990).en.srt', 'German.srt'])
  const [own, other] = [['It (1990).en.srt', 'German.srt'], ['German.srt']]
  t.match(plain.videos.map(beside), [{ subtitles: own }, { subtitles: other }], 'one that is named as a version is its alone')
  const apart = read('/films/It', ['It (1990).mkv', 'It (2017).mkv', 'It.en.srt'])
  t.match(apart.videos.map(beside), [{ subtitles: [] }, { subtitles: [] }], 'two films share none')
  t.match(read('/films/It', ['It - 4K.mkv', 'It.srt']).videos[0]?.subtitles, [{ language: null }])
})

t.test('the language and the purpose of a subtitle are in its name', async (t) => {
  const track = (rest: string) => read('/films/Film', ['Film.mkv', `Film${rest}`]).videos[0]?.subtitles[0]
  const plain = { stream: null, language: null, title: null, forced: false, default: false, hearingImpaired: false }
  const names = {
    '.srt': { codec: 'subrip' },
    '.en.srt': { codec: 'subrip', language: 'en' },
    '.ger.ass': { codec: 'ass', language: 'de' },
    '.deu.ssa': { codec: 'ass', language: 'de' },
    '.pt-BR.forced.srt': { codec: 'subrip', language: 'pt-BR', forced: true },
    '.pt_BR.srt': { codec: 'subrip', language: 'pt-BR' },
    '.pt_br.forced.srt': { codec: 'subrip', language: 'pt-BR', forced: true },
    '_en_US.srt': { codec: 'subrip', language: 'en-US' },
    '.en_cc.srt': { codec: 'subrip', language: 'en', hearingImpaired: true },
    '.en_hi.srt': { codec: 'subrip', language: 'en', hearingImpaired: true },
    '.und.srt': { codec: 'subrip' },
    '.und.forced.srt': { codec: 'subrip', forced: true },
    '.de.Max und Moritz.srt': { codec: 'subrip', language: 'de', title: 'Max und Moritz' },
    '.it.sdh.vtt': { codec: 'webvtt', language: 'it', hearingImpaired: true },
    '.en.hi.srt': { codec: 'subrip', language: 'en', hearingImpaired: true },
    '.hi.srt': { codec: 'subrip', language: 'hi' },
    '.English.default.srt': { codec: 'subrip', language: 'en', default: true },
    '.français.srt': { codec: 'subrip', language: 'fr' },
    ".en.Director's comments.srt": { codec: 'subrip', language: 'en', title: "Director's comments" },
    '.zh-Hant.srt': { codec: 'subrip', language: 'zh-Hant' },
    '.chs.srt': { codec: 'subrip', language: 'zh-Hans' },
    '.new.srt': { codec: 'subrip', title: 'new' },
  }
  for (const [rest, expected] of Object.entries(names))
    t.strictSame(track(rest), { ...plain, path: `/films/Film/Film${rest}`, ...expected }, rest)
})

t.test('a film alone also has the subtitles that bear no name of a film; only the end of their names counts', async (t) => {
  const { videos: films } = read('/films/A Film (2019)', [
    'film.mkv',
    '2_English.srt',
    'It.Is.No.Film.fr.forced.srt',
    'It.srt',
    'Is it so then.srt',
  ])
  t.match(films[0]?.subtitles, [{ language: 'en', title: null }, { language: 'fr', forced: true }, { language: 'it' }, { language: null }])
})

t.test('several films only have the subtitles with their own name, the longest that fits', async (t) => {
  const names = [
    'Alien.mkv',
    'Alien 3.mkv',
    'Alien.en.srt',
    'Alien 3.de.srt',
    'Alienation.fr.srt',
    'English.srt',
    'movie.nfo',
    'Alien.nfo',
    'poster.jpg',
  ]
  const { videos: films, ignored } = read('/films', names)
  t.match(films.map(beside), [
    { nfo: 'Alien.nfo', poster: null, subtitles: ['Alien.en.srt'] },
    { nfo: null, poster: null, subtitles: ['Alien 3.de.srt'] },
  ])
  t.equal(ignored, 4)
})

t.test('names are one whether they are composed or not, in capitals or not', async (t) => {
  const { videos: films, ignored } = read('/films/x', ['Ame\u0301lie.MKV', 'Am\u00e9lie.EN.SRT', 'AM\u00c9LIE.nfo', 'Poster.JPG'])
  t.match(films.map(beside), [{ nfo: 'AM\u00c9LIE.nfo', poster: 'Poster.JPG', subtitles: ['Am\u00e9lie.EN.SRT'] }])
  t.match(films[0]?.subtitles, [{ language: 'en' }])
  t.equal(ignored, 0)
})

t.test('artwork of the film goes before that of the folder, and each kind has its names', async (t) => {
  const art = (...names: readonly string[]) => read('/films/A Film', ['A Film.mkv', ...names]).videos[0]?.artworkPaths
  t.match(art('poster.png', 'A Film-poster.webp'), { poster: '/films/A Film/A Film-poster.webp' })
  t.match(art('folder.jpg', 'cover.jpg', 'backdrop.jpg', 'clearlogo.png'), {
    poster: '/films/A Film/folder.jpg',
    backdrop: '/films/A Film/backdrop.jpg',
    logo: '/films/A Film/clearlogo.png',
  })
  t.match(art('poster.jpeg', 'background.webp', 'logo.jpg', 'fanart.gif'), {
    poster: '/films/A Film/poster.jpeg',
    backdrop: '/films/A Film/background.webp',
    logo: '/films/A Film/logo.jpg',
  })
})

t.test('files of no bytes beside a film are as good as none', async (t) => {
  const { path, files } = folder('/films/A Film', ['A Film.mkv', 'movie.nfo', 'poster.jpg', 'A Film.en.srt'])
  const { videos: films, ignored } = videosInFolder({ path, files: files.map((file) => ({ ...file, sizeBytes: 0 })) }, surroundings)
  t.match(films.map(beside), [{ nfo: null, poster: null, subtitles: [] }])
  t.equal(ignored, 3)
})

t.test('a subtitle file that is too large to be served is none', async (t) => {
  const { path, files } = folder('/films/A Film', ['A Film.mkv', 'A Film.en.srt'])
  const withBytes = (sizeBytes: number) => videosInFolder({ path, files: files.map((file) => ({ ...file, sizeBytes })) }, surroundings)
  t.match(withBytes(MAX_SUBTITLE_BYTES).videos.map(beside), [{ subtitles: ['A Film.en.srt'] }])
  t.match(withBytes(MAX_SUBTITLE_BYTES + 1).videos.map(beside), [{ subtitles: [] }])
  t.equal(withBytes(MAX_SUBTITLE_BYTES + 1).ignored, 1)
})

t.test('trailers, samples and folders of extras are no films, and are counted', async (t) => {
  const extras = [
    'A Film-trailer.mp4',
    'trailer.mp4',
    'sample.mkv',
    'A.Film.sample.mkv',
    'A Film - Trailer.mkv',
    'A Film-behindthescenes.mkv',
    'readme.txt',
  ]
  const { videos: films, ignored } = read('/films/A Film (2019)', ['A Film.mkv', ...extras])
  t.equal(films.length, 1)
  t.equal(ignored, extras.length)
  for (const name of ['Extras', 'featurettes', 'Trailers', 'Behind The Scenes', 'VIDEO_TS', 'Extras/Disc 1']) {
    t.strictSame(read(`/films/A Film/${name}`, ['one.mkv', 'two.mkv']), { videos: [], ignored: 2 }, name)
  }
  t.equal(videosInFolder(folder('/media/Trailers/A Film', ['A Film.mkv']), { root: '/media/Trailers', thisYear: 2026 }).videos.length, 1)
  t.equal(read('/films', ['Free Sample (2012).mkv', 'Trailer Park (2008).mkv']).videos.length, 2)
})

t.test('thousands of films in one folder are no trouble', async (t) => {
  const names = Array.from({ length: 5000 }, (_, index) => [`Film ${index} (2019).mkv`, `Film ${index} (2019).en.srt`]).flat()
  const { videos: films, ignored } = read('/films', names)
  t.equal(films.length, 5000)
  t.equal(films.filter((film) => film.subtitles.length === 1).length, 5000)
  t.equal(ignored, 0)
})
