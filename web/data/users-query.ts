/** The accounts of the server, for administrators: the page of people lists them, and the history and the audit show their names. */
import { api, valueOf } from '../api/client.ts'
import type { Context } from './query-client.ts'
import { queryText } from './typed.ts'

const MOST = 100

/** By name. `q`: part of a name or an e-mail address; all accounts if it is empty. */
export const usersQuery = (text: string) => {
  const q = queryText(text)
  return {
    queryKey: ['users', q],
    queryFn: ({ signal }: Context) =>
      valueOf(api.GET('/v1/users', { params: { query: { limit: MOST, ...(q === '' ? {} : { q }) } }, signal })),
  }
}
