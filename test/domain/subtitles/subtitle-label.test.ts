import t from 'tap'
import { subtitleLabel } from '../../../src/domain/subtitles/subtitle-label.ts'

const NAMELESS = { index: 2, language: null, title: null, forced: false, hearingImpaired: false }

t.test('a subtitle is called by its title, else by its language in its own words', async (t) => {
  t.equal(subtitleLabel({ ...NAMELESS, title: 'Director', language: 'en', forced: true }), 'Director')
  t.equal(subtitleLabel({ ...NAMELESS, language: 'de', forced: true }), 'Deutsch (forced)')
  t.equal(subtitleLabel({ ...NAMELESS, language: 'pt-BR', hearingImpaired: true }), 'português (Brasil) (SDH)')
  t.equal(subtitleLabel(NAMELESS), 'Subtitle 3')
  t.equal(subtitleLabel({ ...NAMELESS, language: 'x-!' }), 'x-!', 'what is no tag stays as it is')
})
