import t from 'tap'
import { combined, type Identity } from '../../../src/domain/movies/identification.ts'
import { factsOf } from '../../fixtures/movie-facts.ts'

const byName = (...named: Parameters<typeof factsOf>): Identity => ({ source: 'name', confidence: 0.6, facts: factsOf(...named) })
const ids = (tmdb: string) => ({ externalIds: { tmdb, imdb: null } })

t.test('a file with another id adds nothing to what a movie is identified as', (t) => {
  const first = byName('Pinocchio', 2022, ids('1'))
  const other = byName('Pinocchio', 2022, { ...ids('2'), overview: 'Another film', genres: ['Family'] })
  t.strictSame(combined([first, other]), first)
  const plain = byName('Pinocchio', 2022, { overview: 'A puppet' })
  t.match(combined([first, other, plain]), { facts: { ...ids('1'), overview: 'A puppet', genres: [] } }, 'one without an id does')
  t.end()
})

t.test('a title is sorted as a file of this title says, not as one of another title', (t) => {
  const film = byName('The Boat', 1981, ids('387'))
  const german = byName('Das Boot', 1981, { sortTitle: 'Boot, Das' })
  t.match(combined([film, german]), { facts: { title: 'The Boat', sortTitle: null } })
  t.match(combined([film, german, byName('THE BOAT', 1981, { sortTitle: 'Boat, The' })]), {
    facts: { title: 'The Boat', sortTitle: 'Boat, The' },
  })
  t.end()
})
