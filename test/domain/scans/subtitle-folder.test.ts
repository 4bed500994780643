import t from 'tap'
import { videosInFolder, subtitleHome } from '../../../src/domain/scans/videos-in-folder.ts'
import { readLooseSubtitleName } from '../../../src/domain/scans/subtitle-name.ts'

const file = (path: string) => ({ path, name: path.slice(path.lastIndexOf('/') + 1), sizeBytes: 10 })

t.test('which folder the subtitles in a folder belong to', async (t) => {
  const home = (path: string) => subtitleHome(path, '/films')
  t.equal(home('/films/A Film/Subs'), '/films/A Film')
  t.equal(home('/films/A Film/subtitles'), '/films/A Film')
  t.equal(home('/films/A Film/Subs/English'), '/films/A Film')
  t.equal(home('/films/Subs/A Film (2019)'), '/films')
  t.equal(home('/films/A Film/Subs/old/more'), undefined)
  t.equal(home('/films/A Film'), undefined)
  t.equal(home('/films/Submarines'), undefined)
  t.equal(subtitleHome('/films/Subs', '/films/Subs'), undefined, "a library's root is no folder of a film")
})

t.test('among several films the name of the file, or of its folder, says whose it is', async (t) => {
  const files = ['/films/Alien (1979).mkv', '/films/Brazil (1985).mkv'].map(file)
  const subtitles = ['/films/Subs/Brazil (1985)/2_English.srt', '/films/Subs/Alien (1979).de.srt', '/films/Subs/English.srt'].map(file)
  const { videos: films, ignored } = videosInFolder({ path: '/films', files, subtitles }, { root: '/films', thisYear: 2026 })
  t.strictSame(
    films.map((film) => film.subtitles.map(({ path, language }) => [path, language])),
    [[['/films/Subs/Alien (1979).de.srt', 'de']], [['/films/Subs/Brazil (1985)/2_English.srt', 'en']]],
  )
  t.equal(ignored, 1, "what is nobody's is ignored")
})

t.test('names of files in such folders', async (t) => {
  const read = (name: string) => {
    const { language, forced, hearingImpaired } = readLooseSubtitleName(name)
    return `${language}${forced ? ' forced' : ''}${hearingImpaired ? ' sdh' : ''}`
  }
  const cases: Readonly<Record<string, string>> = {
    '2_English': 'en',
    eng: 'en',
    'English [SDH]': 'en sdh',
    '2_eng,English [SDH]': 'en sdh',
    'English-forced': 'en forced',
    'pt-BR': 'pt-BR',
    '3_pt_BR': 'pt-BR',
    und: 'null',
    '5_Portuguese (Brazil)': 'pt-BR',
    '10_Chinese (Simplified)': 'zh-Hans',
    'Chinese Traditional': 'zh-Hant',
    Français: 'fr',
    '7_Unknown': 'null',
  }
  for (const [name, expected] of Object.entries(cases)) t.equal(read(name), expected, name)
})
