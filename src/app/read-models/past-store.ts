/** Answers queries about documents of an earlier time, as a read store that is not written to. */
import { NoCollection, type Query, type ReadStore, type Sums } from '../../ports/read-store.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { documentsWith, membersOf, needColumns, wholeDocuments, type PastDocuments, type PastView } from './past-documents.ts'

export interface PastStore {
  readonly store: ReadStore
  /** Whether its documents are gone: the snapshots were dropped. */
  readonly isGone: () => boolean
}

export function createPastStore(past: PastDocuments): PastStore {
  const { store } = past
  const views = new Map(past.views.map((view) => [view.spec.name, view]))
  let gone = false

  /** @throws ServerUnavailable the snapshots were dropped: the next request folds again */
  async function within<Result>(read: () => Promise<Result>): Promise<Result> {
    try {
      return await read()
    } catch (cause) {
      if (!(cause instanceof NoCollection)) throw cause
      gone = true
      throw new ServerUnavailable('the snapshots of the past', { cause })
    }
  }
  const need = async (name: string, fields: readonly string[]): Promise<PastView | undefined> => {
    const view = views.get(name)
    if (view) await within(() => needColumns(past, view, fields))
    return view
  }
  return {
    isGone: () => gone,
    store: {
      ...store,
      async get(name, id, only) {
        const view = views.get(name)
        if (!view?.unread.has(id)) return store.get(name, id, only)
        const [document] = await within(() => documentsWith(past, view, [id]))
        return document && only ? { ...document, body: membersOf(document.body, only) } : document
      },
      async getMany(name, ids) {
        const view = views.get(name)
        return view ? within(() => documentsWith(past, view, ids)) : store.getMany(name, ids)
      },
      async find(name, query) {
        const view = await need(name, [...fieldsOf(query), ...(query.only ?? [])])
        const page = await store.find(name, query)
        return view ? { ...page, documents: await within(() => wholeDocuments(past, view, page.documents, query.only)) } : page
      },
      async keys(name, query) {
        await need(name, fieldsOf(query))
        return store.keys(name, query)
      },
      async count(name, where) {
        await need(name, fieldsOf({ where }))
        return store.count(name, where)
      },
      async tally(name, field, range) {
        await need(name, [field])
        return store.tally(name, field, range)
      },
      async sum(name, sums) {
        await need(name, [...fieldsOf(sums), ...groupedBy(sums)])
        return store.sum(name, sums)
      },
    },
  }
}

const fieldsOf = ({ where = [], sort }: Pick<Query, 'where' | 'sort'>): readonly string[] => [
  ...where.map(({ field }) => field),
  ...(sort ? [sort.field] : []),
]

const groupedBy = ({ by = [], bucket, of }: Sums): readonly string[] => [...by, ...(bucket ? [bucket.field] : []), of]
