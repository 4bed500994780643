/** View `credits`: cast and crew, one document per movie. People are identified by name: the same name is the same person. */
import type { ImageId, LibraryId, MovieId, PersonId } from '../../src/vocabulary/id.ts'
import type { MovieFacts } from '../../src/events/movie-events.ts'
import { onlineImageId } from './images.ts'
import { NOTHING_KNOWN, type AskedFor, type FoundAs } from './movie-document.ts'
import { mergedPeople } from './movie-facts.ts'
import { personIdOf } from './movie-query-fields.ts'
import type { Operation, View } from './view.ts'

interface Person {
  readonly personId: PersonId
  readonly name: string
  readonly image: ImageId | null
}

export interface People {
  readonly cast: readonly (Person & { readonly character: string | null })[]
  readonly crew: readonly (Person & { readonly job: string; readonly department: string })[]
}

export interface CreditsDocument {
  readonly id: MovieId
  readonly found: { readonly as: FoundAs; readonly people: People }
  readonly online: (AskedFor & { readonly people: People }) | null
}

/** Cast and crew as clients see them. */
export interface Credits extends Pick<People, 'crew'> {
  readonly id: MovieId
  readonly cast: readonly (People['cast'][number] & { readonly order: number })[]
}

export const credits: View<CreditsDocument> = {
  name: 'credits',
  version: 3,
  fields: {},
  indexes: [],
  handles: {
    MovieIdentified: ({ data: { movieId, facts } }) => fold(movieId, (movie) => ({ ...movie, found: foundIn(facts) })),
    MovieMatchedOnline: ({ data: { movieId, libraryId, asked, facts, imageSalt } }) =>
      fold(movieId, (movie) => ({
        ...movie,
        online: { asked, as: calledIn(facts), people: peopleIn(facts, { libraryId, salt: imageSalt }) },
      })),
    MovieUnmatchedOnline: ({ data }) => fold(data.movieId, (movie) => ({ ...movie, online: null })),
  },
}

function fold(id: MovieId, change: (movie: CreditsDocument) => CreditsDocument): readonly Operation<CreditsDocument>[] {
  return [{ id, fold: (movie = { id, found: foundIn({ ...NOTHING_KNOWN, cast: [], crew: [] }), online: null }) => change(movie) }]
}

function foundIn(facts: MovieFacts): CreditsDocument['found'] {
  const { title, year, externalIds } = facts
  return { as: { title, year, externalIds }, people: peopleIn(facts) }
}

const calledIn = ({ title, originalTitle, year, externalIds }: MovieFacts): AskedFor['as'] => ({ title, originalTitle, year, externalIds })

/** Files contain no portraits; a provider's portraits have one id per library. */
function peopleIn({ cast, crew }: MovieFacts, shown?: { readonly libraryId: LibraryId; readonly salt: string | undefined }): People {
  const person = ({ name, picture }: { readonly name: string; readonly picture?: string }): Person => ({
    personId: personIdOf(name),
    name,
    image: shown && picture !== undefined ? onlineImageId(shown.libraryId, picture, shown.salt) : null,
  })
  return {
    cast: cast.map((member) => ({ ...person(member), character: member.character })),
    crew: crew.map((member) => ({ ...person(member), job: member.job, department: member.department })),
  }
}

/** Portraits come from the provider, even for people named in an `.nfo`. */
export function creditsOf({ id, found, online }: CreditsDocument): Credits {
  const { cast, crew } = mergedPeople(found, online)
  const images = new Map(online ? [...online.people.cast, ...online.people.crew].map(({ personId, image }) => [personId, image]) : [])
  const withImage = <Someone extends Person>(person: Someone): Someone => ({
    ...person,
    image: person.image ?? images.get(person.personId) ?? null,
  })
  return { id, cast: cast.map((member, order) => ({ ...withImage(member), order })), crew: crew.map(withImage) }
}
