import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { decodeSubtitle } from '../../../src/domain/subtitles/subtitle-encoding.ts'
import { mediaSet, type ManifestSubtitle } from '../../fixtures/media-files.ts'
import { encode } from './encode.ts'
import { SENTENCES } from './sentences.ts'

const srt = (sentences: readonly string[]): string =>
  sentences.map((sentence, index) => `${index + 1}\r\n00:00:0${index},000 --> 00:00:0${index},900\r\n${sentence}\r\n\r\n`).join('')

t.test('real sentences are read as they were written, from one on, with and without a language', async (t) => {
  for (const [language, encodings, sentences] of SENTENCES) {
    for (const encoding of encodings) {
      for (const text of [1, 2, sentences.length].map((count) => srt(sentences.slice(0, count)))) {
        const bytes = encode(text, encoding)
        t.equal(decodeSubtitle(bytes, language), text, `${language} in ${encoding}`)
        t.equal(decodeSubtitle(bytes, null), text, `${language} in ${encoding}, untold`)
      }
    }
  }
})

t.test('Unicode is recognised by its mark, its zeros or its form, in every language', async (t) => {
  for (const [language, , sentences] of SENTENCES) {
    const text = srt(sentences)
    const little = Buffer.from(text, 'utf16le')
    const big = Buffer.from(little).swap16()
    const utf8 = Buffer.from(text)
    const marked = [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), Buffer.concat([Buffer.from([0xfe, 0xff]), big])]
    for (const bytes of [utf8, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]), little, big, ...marked]) {
      t.equal(decodeSubtitle(bytes, language), text, language)
    }
  }
})

t.test('UTF-8 with a broken character stays UTF-8', async (t) => {
  const text = srt(SENTENCES.find(([language]) => language === 'ru')?.[2] ?? [])
  const bytes = Buffer.from(text)
  const cut = bytes.subarray(0, bytes.lastIndexOf(Buffer.from('.')) - 1)
  t.equal(decodeSubtitle(cut, null), `${text.slice(0, text.lastIndexOf('.') - 1)}\ufffd`)
})

t.test('a name that suggests a wrong alphabet does not spoil the text', async (t) => {
  const of = (wanted: string) => srt(SENTENCES.find(([language]) => language === wanted)?.[2] ?? []).repeat(3)
  t.equal(decodeSubtitle(encode(of('ru'), 'windows-1251'), 'en'), of('ru'))
  t.equal(decodeSubtitle(encode(of('zh'), 'gb18030'), 'fr'), of('zh'))
  t.equal(decodeSubtitle(encode(of('fr'), 'windows-1252'), 'ru'), of('fr'))
})

t.test('two languages in one file', async (t) => {
  const text = srt([
    'Where have you been all this time, my old friend?\r\n你这段时间都去哪儿了，我的老朋友？',
    'I was at home, waiting for you to call.\r\n我在家里等你的电话。',
  ])
  t.equal(decodeSubtitle(encode(text, 'gb18030'), null), text)
  t.equal(decodeSubtitle(encode(text, 'gb18030'), 'zh'), text)
})

t.test('the files of the media set need no language to be read', { skip: mediaSet() ? false : 'the media set is not here' }, async (t) => {
  const set = mediaSet()
  const files = (set?.manifest.sidecars ?? []).filter((sidecar): sidecar is ManifestSubtitle => sidecar.kind === 'subtitle')
  for (const { path, encoding } of files) {
    const bytes = readFileSync(join(set?.root ?? '', path))
    t.equal(decodeSubtitle(bytes, null), new TextDecoder(encoding).decode(bytes), path)
  }
})

t.test('bytes that are no text give some text, and large ones soon', async (t) => {
  const noise = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) & 0xff)
  for (const language of [null, 'en', 'ja', 'zh', 'vi']) {
    const before = process.cpuUsage()
    t.type(decodeSubtitle(noise, language), 'string')
    const seconds = process.cpuUsage(before).user / 1_000_000
    t.ok(seconds < 2, `${language}: ${seconds} s`)
  }
})
