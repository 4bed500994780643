/** View `credits`: cast and crew, one document a movie. A person is known by name: the same name is the same person. */
import type { MovieId, PersonId } from '../src/events/id.ts'
import { derivedId } from '../src/events/derived-id.ts'
import { foldText } from '../src/events/text.ts'
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
        cast: data.facts.cast.map((member, order) => ({ personId: personId(member.name), ...member, order })),
        crew: data.facts.crew.map((member) => ({ personId: personId(member.name), ...member })),
      }),
  },
}

const personId = (name: string) => derivedId('person', foldText(name))
