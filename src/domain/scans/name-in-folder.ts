/** Chooses between the names of a film file and of its folder. */
import { foldText } from '../../vocabulary/text.ts'
import { restAfter, stemOf } from './file-names.ts'
import type { MovieName } from './movie-name.ts'
import { readMovieName } from './movie-name.ts'
import { isVersionWord } from './release-tags.ts'
import { isLanguageName } from './subtitle-name.ts'

interface NameSources {
  /** Empty for a root: a library's name is not a film's. */
  readonly folderName: string
  /** The file is the only film of its folder. */
  readonly alone: boolean
  readonly thisYear: number
}

/**
 * The film gets the folder's name in two cases. The folder has the same title, or is the beginning of the file's name. Or the folder names
 * a film (with a year or an id) and the file's own name has no year. If the film is alone in its folder, the folder needs no year; only a
 * year that just the file's name has prevents it (`Westerns/A Film (2019).mkv`). A folder without year and id never names the other films
 * of its series (`Rocky/Rocky II.mkv`).
 */
export function nameInFolder(file: { readonly name: string }, { folderName, alone, thisYear }: NameSources): MovieName {
  const own = readMovieName(file.name, thisYear)
  if (folderName === '') return own
  const folder = readMovieName(folderName, thisYear)
  const isMovie = namesMovie(folder)
  if (!isMovie && isOtherOfSeries(own, folder)) return own
  const sameTitle = foldText(own.title) === foldText(folder.title) && (own.year ?? folder.year) === (folder.year ?? own.year)
  const isVersion = restAfter(stemOf(file.name), folderName) !== undefined
  const isOwn = alone ? isMovie || own.year === null : isMovie && own.year === null
  return sameTitle || isVersion || isOwn ? withRest(folder, own) : own
}

export const namesMovie = ({ year, externalIds: { tmdb, imdb } }: MovieName): boolean => year !== null || tmdb !== null || imdb !== null

/** Fills in what only the second name has. */
function withRest(first: MovieName, second: MovieName): MovieName {
  const { tmdb, imdb } = first.externalIds
  const externalIds = { tmdb: tmdb ?? second.externalIds.tmdb, imdb: imdb ?? second.externalIds.imdb }
  return { title: first.title, year: first.year ?? second.year, externalIds }
}

/**
 * Whether a file's title goes on after the folder's with a number (`Rocky II`, `John Wick Chapter 2`), or has a year and more words than
 * those of a version (`Star Wars - Return of the Jedi (1983)`).
 */
function isOtherOfSeries(own: MovieName, folder: MovieName): boolean {
  const [words, start] = [titleWords(own.title), titleWords(folder.title)]
  if (!start.every((word, index) => word === words[index])) return false
  const rest = words.slice(start.length)
  return isNumbered(rest) || (own.year !== null && !rest.every(isOfVersion))
}

/** Folded words without the punctuation around them. Brackets stay, because `Film (2)` is a copy. */
function titleWords(title: string): readonly string[] {
  const words =
    foldText(title)
      .replace(/['’]/g, '')
      .match(/[^\p{Pd}.,:;!\s](?:\S*[^\p{Pd}.,:;!\s])?/gu) ?? []
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word))
}

const NUMBER = /^(?:\d{1,4}|(?=.)x{0,2}(?:ix|iv|v?i{0,3}))$/
const SPELLED = /^(?:one|two|three|four|five|six|seven|eight|nine|ten)$/
const PART = /^(?:part|chapter|vol|volume|episode|book)$/
/** Heights of pictures, which versions have without their `p`. */
const HEIGHT = /^(?:240|360|480|540|576|720|1080|1440|2160|4320)$/

function isNumbered([first = '', second = '']: readonly string[]): boolean {
  return PART.test(first) ? NUMBER.test(second) || SPELLED.test(second) : NUMBER.test(first) && !HEIGHT.test(first)
}

function isOfVersion(word: string): boolean {
  const bare = word.replace(/^\(|\)$/g, '')
  return isVersionWord(bare) || isLanguageName(bare)
}
