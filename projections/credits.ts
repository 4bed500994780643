/** View `credits`: cast and crew, one document a movie. A person is known by name: the same name is the same person. */
import type { MovieId, PersonId } from '../src/events/id.ts'
import { personIdOf } from './movie-query-fields.ts'
import { operations, type View } from './view.ts'

export interface CreditsDocument {
  readonly id: MovieId
  readonly cast: readonly {
    readonly personId: PersonId
    readonly name: string
    readonly character: string | null
    readonly order: number
  }[]
  readonly crew: readonly { readonly personId: PersonId; readonly name: string; readonly job: string; readonly department: string }[]
}

const { put } = operations<CreditsDocument>()

export const credits: View<CreditsDocument> = {
  name: 'credits',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    MovieIdentified: ({ data }) =>
      put(data.movieId, {
        id: data.movieId,
        cast: data.facts.cast.map((member, order) => ({ personId: personIdOf(member.name), ...member, order })),
        crew: data.facts.crew.map((member) => ({ personId: personIdOf(member.name), ...member })),
      }),
  },
}
