/** As what a file of a stream is served. */
import type { Test } from 'tap'
import type { Answer, TestServer } from '../http-server.ts'

interface Served {
  readonly url: string
  readonly type: string
  readonly cache: string
}

/** Asked for with the admin's token; gives the answer. */
export async function isServedAs(t: Test, server: TestServer, { url, type, cache }: Served): Promise<Answer> {
  const res = await server.ask('GET', url)
  t.match(res, { status: 200, headers: { 'content-type': type, 'cache-control': cache, 'content-length': String(res.bytes.length) } }, url)
  return res
}
