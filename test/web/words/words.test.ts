import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { VERSIONS } from '../../../src/events/catalogue.ts'
import { bestLanguage } from '../../../web/words/words.ts'
import { de } from '../../../web/words/de.ts'
import { en as shared } from '../../../web/words/en.ts'
import { adminEn } from '../../../web/words/en-admin.ts'
import { auditEn } from '../../../web/words/en-audit.ts'
import { factorEn } from '../../../web/words/en-factor.ts'
import { lifeEn } from '../../../web/words/en-life.ts'
import { matchEn } from '../../../web/words/en-match.ts'
import { nowEn } from '../../../web/words/en-now.ts'
import { pastEn } from '../../../web/words/en-past.ts'
import { playerEn } from '../../../web/words/en-player.ts'
import { reasonsEn } from '../../../web/words/en-reasons.ts'
import { tokensEn } from '../../../web/words/en-tokens.ts'
import { webhooksEn } from '../../../web/words/en-webhooks.ts'

const WEB = join(import.meta.dirname, '../../../web')

const en = {
  ...shared,
  ...adminEn,
  ...auditEn,
  ...factorEn,
  ...lifeEn,
  ...matchEn,
  ...nowEn,
  ...pastEn,
  ...playerEn,
  ...reasonsEn,
  ...tokensEn,
  ...webhooksEn,
}

const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('dist') && !/^words\/(en|de)/.test(name) && !name.startsWith('api'))
  .map((name) => readFileSync(join(WEB, name), 'utf8'))
  .join('\n')

t.test('every phrase is used somewhere', async (t) => {
  // Keys that are composed from parts: `movies.sort.${name}`.
  const beginnings = [...sources.matchAll(/`([a-z-]+(?:\.[a-zA-Z-]+)*\.)\$\{/g)].map((match) => match[1] ?? '')
  const unused = Object.keys(en).filter((key) => !sources.includes(`'${key}'`) && !beginnings.some((start) => key.startsWith(start)))
  t.strictSame(unused, [])
})

t.test('German says all that English says, with the same parameters', async (t) => {
  t.strictSame(Object.keys(de).toSorted(), Object.keys(en).toSorted())
  for (const [key, phrase] of Object.entries(en)) t.equal(typeof Reflect.get(de, key), typeof phrase, key)
})

t.test('every type of event has words in both languages', async (t) => {
  const without = Object.keys(VERSIONS).filter((type) => !(`audit.type.${type}` in auditEn && `audit.type.${type}` in de))
  t.strictSame(without, [])
})

t.test('no German phrase is left in English by mistake', async (t) => {
  const same = Object.entries(en).filter(
    ([key, phrase]) => typeof phrase === 'string' && phrase.length > 14 && Reflect.get(de, key) === phrase,
  )
  t.strictSame(same, [])
})

t.test('the best language is the first one that the client has', async (t) => {
  t.equal(bestLanguage(['fr-FR', 'de-AT', 'en']), 'de')
  t.equal(bestLanguage(['ja']), 'en')
})
