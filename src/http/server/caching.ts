/** Sets the default `Cache-Control`: API responses are private and must be revalidated, responses to writes are not stored. */
import type { App } from './app.ts'
import { isApiPath, routePath } from './route-path.ts'
import { vary } from './vary.ts'

/** A route may set another `Cache-Control`; errors are never cached. */
export function addCaching(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isApiPath(routePath(request))) return done()
    const reads = request.method === 'GET' || request.method === 'HEAD'
    reply.header('cache-control', reads ? 'private, no-cache' : 'no-store')
    if (reads) vary(reply, 'Authorization', 'Cookie', 'Accept-Encoding')
    done()
  })
}
