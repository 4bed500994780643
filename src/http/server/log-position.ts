/**
 * Says with every read under /v1 how far the log is in it: a client that then opens the event stream from there misses nothing. The position
 * is that of the streams, which the views are never behind, at the request's beginning: the answer may show later changes, too.
 */
import { START, toSeq } from '../../events/position.ts'
import type { App, HttpServices } from './app.ts'
import { isApiPath, routePath } from './route-path.ts'

export function addLogPosition(app: App, { liveEvents }: Pick<HttpServices, 'liveEvents'>): void {
  app.addHook('preHandler', (request, reply, done) => {
    const position = liveEvents.position()
    // A node that has just started has sent nothing yet: from there everything would be sent again.
    if (request.method === 'GET' && request.caller && position > START && isApiPath(routePath(request)))
      reply.header('x-log-seq', toSeq(position))
    done()
  })
}
