/** Checks the headers and caching of a stream's file. */
import type { Test } from 'tap'
import type { Answer, TestServer } from '../http-server.ts'

interface Served {
  readonly url: string
  readonly type: string
  readonly cache: string
}

/** Requested with the admin's token; returns the response. */
export async function isServedAs(t: Test, server: TestServer<unknown>, { url, type, cache }: Served): Promise<Answer> {
  const res = await server.ask('GET', url)
  t.match(res, { status: 200, headers: { 'content-type': type, 'cache-control': cache, 'content-length': String(res.bytes.length) } }, url)
  return res
}
