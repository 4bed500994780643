/** Converts the provider's credits to the people of a film. */
import { Type } from 'typebox'
import type { CastMember, CrewMember } from '../../events/movie-events.ts'
import { isOnlineImageName } from '../../ports/online-metadata.ts'
import { listOf, memberOf } from './shapes.ts'
import { lineOf } from './texts.ts'

const PEOPLE_MAX = 100
/** The largest crews have some 2,000 entries. */
const PEOPLE_READ_MAX = 4000
const Actor = Type.Object({ name: Type.String() })
const Worker = Type.Object({ name: Type.String(), job: Type.String(), department: Type.String() })
/** Departments of a large crew that people look for first; the provider's own order has no meaning. */
const FIRST = ['Directing', 'Writing', 'Production', 'Sound', 'Camera', 'Editing']

export function castOf(credits: unknown): readonly CastMember[] {
  return listOf(memberOf(credits, 'cast'), Actor, PEOPLE_READ_MAX)
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .flatMap((actor) => {
      const name = lineOf(actor.name)
      return name === null ? [] : [{ name, character: lineOf(memberOf(actor, 'character')), ...imageOf(actor) }]
    })
    .slice(0, PEOPLE_MAX)
}

/** Each person once for each job. */
export function crewOf(credits: unknown): readonly CrewMember[] {
  const crew = new Map<string, CrewMember>()
  const workers = listOf(memberOf(credits, 'crew'), Worker, PEOPLE_READ_MAX).toSorted((a, b) => rankOf(a.department) - rankOf(b.department))
  for (const worker of workers) {
    const [name, job, department] = [lineOf(worker.name), lineOf(worker.job), lineOf(worker.department)]
    const key = JSON.stringify([name, job])
    if (crew.size >= PEOPLE_MAX) break
    if (name && job && department && !crew.has(key)) crew.set(key, { name, job, department, ...imageOf(worker) })
  }
  return [...crew.values()]
}

/** Those without an order come last, in the provider's sequence. */
function orderOf(actor: unknown): number {
  const order = memberOf(actor, 'order')
  return typeof order === 'number' && Number.isFinite(order) ? order : Number.MAX_SAFE_INTEGER
}

const rankOf = (department: string): number => (FIRST.includes(department) ? FIRST.indexOf(department) : FIRST.length)

function imageOf(person: unknown): { readonly picture?: string } {
  const picture = memberOf(person, 'profile_path')
  return isOnlineImageName(picture) ? { picture } : {}
}
