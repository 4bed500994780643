/**
 * Reads film data from the name of a folder or a file: `A Film (2019)`, `A.Film.2019.1080p.WEB-DL.x264-GRP.mkv`, `A Film (2019)
 * {tmdb-123}`.
 */
import type { MovieFacts } from '../../events/movie-events.ts'
import { firstTag, titleEnd } from './release-tags.ts'
import { stemOf } from './file-names.ts'

export type ExternalIds = MovieFacts['externalIds']

export interface MovieName {
  readonly title: string
  readonly year: number | null
  readonly externalIds: ExternalIds
}

/** The first film was shot in 1888. */
const FIRST_YEAR = 1880
const MAX_TITLE = 300
const MAX_NAME = 1000

/** Title, year and identifiers in a name; a video file's extension is dropped. A year may be at most two after `thisYear`. */
export function readMovieName(name: string, thisYear: number): MovieName {
  const stem = stemOf(name).normalize('NFC').slice(0, MAX_NAME)
  const isYear = (text: string): boolean => /^\d{4}$/.test(text) && Number(text) >= FIRST_YEAR && Number(text) <= thisYear + 2
  const bare = withoutLabels(stem, isYear)
  const { title, year } = byBrackets(bare, isYear) ?? byWords(bare, isYear)
  const fallback = stem.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || stem
  return { title: (title || fallback).slice(0, MAX_TITLE), year, externalIds: readIds(stem) }
}

/** `{tmdb-123}`, `[tmdbid=123]`, `{imdb-tt0123456}`, and a lone `tt0123456`. */
function readIds(stem: string): ExternalIds {
  return {
    tmdb: /[[{(]\s*tmdb(?:id)?[-=: ]\s*([1-9]\d{0,9})\s*[\]})]/i.exec(stem)?.[1] ?? null,
    imdb: /(?:[[{(]\s*imdb(?:id)?[-=: ]\s*|(?<![\p{L}\p{N}]))(tt\d{6,10})(?![\p{L}\p{N}])/iu.exec(stem)?.[1]?.toLowerCase() ?? null,
  }
}

type IsYear = (text: string) => boolean
type TitleAndYear = Pick<MovieName, 'title' | 'year'>

/** Removes `[...]` and `{...}` except years, unless nothing else is left (`[REC]`). */
function withoutLabels(stem: string, isYear: IsYear): string {
  const gap = /\s/.test(stem) ? ' ' : '.'
  const label = (inside = ''): string => (isYear(inside.trim()) ? `(${inside.trim()})` : gap)
  const bare = stem
    .replace(/\[([^[\]]*)\]|\{[^{}]*\}/g, (_, inside?: string) => label(inside))
    .replace(/(?<![\p{L}\p{N}])tt\d{6,10}(?![\p{L}\p{N}])/giu, gap)
  return /[\p{L}\p{N}]/u.test(bare.replace(/\([^()]*\)/g, '')) ? bare : stem.replace(/[[\]{}]/g, gap)
}

/** `2.0` and `$9.99`: its dot separates no words. */
const DECIMAL = /^\p{Sc}?\d+\.\d+$/u

/** A year, or a date, in round brackets ends the title. */
function byBrackets(bare: string, isYear: IsYear): TitleAndYear | undefined {
  for (const match of bare.matchAll(/[(（]\s*(\d{4})(?:[-.]\d{1,2}[-.]\d{1,2})?\s*[)）]/g)) {
    const before = bare.slice(0, match.index).trim()
    const title = DECIMAL.test(before) ? before : withoutTags(wordsOf(before))
    if (isYear(match[1] ?? '') && title !== '') return { title: trimmed(title), year: Number(match[1]) }
  }
  return undefined
}

function withoutTags(words: readonly string[]): string {
  const tag = firstTag(words)
  return (tag === undefined ? words : words.slice(0, titleEnd(words, tag))).join(' ')
}

/** The last year that is not the first word ends the title, else the first release tag. */
function byWords(bare: string, isYear: IsYear): TitleAndYear {
  const words = wordsOf(bare)
  const tag = firstTag(words)
  const lastYear = (end: number): number => words.findLastIndex((word, index) => index > 0 && index < end && isYear(word))
  const beforeTag = lastYear(tag ?? words.length)
  const at = beforeTag > 0 ? beforeTag : lastYear(words.length)
  const end = Math.min(at > 0 ? at : words.length, tag ?? words.length)
  const title = words.slice(0, end === words.length ? end : titleEnd(words, end)).join(' ')
  return { title: trimmed(title), year: at > 0 ? Number(words[at]) : null }
}

/** Words of a name. Dots and underscores separate words only in a name without spaces; the dots of `E.T.` and `S.W.A.T.` stay. */
function wordsOf(text: string): readonly string[] {
  const trimmedText = text.trim()
  if (/\s/.test(trimmedText)) return trimmedText.split(/[\s_]+/)
  const kept = trimmedText.replace(/(?<![\p{L}\p{N}])(?:\p{L}\.){2,}/gu, (acronym) => `${acronym.replaceAll('.', '\u0000')}.`)
  return kept.split(/[._]+/).flatMap((word) => (word === '' ? [] : [word.replaceAll('\u0000', '.')]))
}

/** `Kill Bill Vol. 1` however its name separates words. French titles begin with the word. */
const VOLUME = /(?<=\s)(vol)(?:\.\s?|\s)(?=\d{1,2}(?![\p{L}\p{N}]))/giu

/** Removes separators and empty brackets at the ends of a cut title. */
function trimmed(title: string): string {
  return title
    .replace(VOLUME, '$1. ')
    .replace(/\(\s*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–—_,]+|[\s\-–—_,(（]+$/gu, '')
}
