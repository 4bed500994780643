/** Rejects malformed identifiers in paths: they cannot exist, so they are a 404 before any lookup. */
import { parseId } from '../../vocabulary/id.ts'
import type { App } from './app.ts'
import { notFound } from './errors.ts'

/** Parameters that are identifiers. Stream routes authorize the caller first, so their session is not among them. */
const NAMES = new Set(['id', 'scanId', 'movieId', 'imageId', 'loginId'])

export function addIdentifiers(app: App): void {
  app.addHook('preHandler', ({ params }, _reply, done) => {
    for (const [name, value] of Object.entries(params ?? {})) {
      if (NAMES.has(name) && parseId(String(value)) === undefined) throw notFound()
    }
    done()
  })
}
