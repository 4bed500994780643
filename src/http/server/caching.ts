/** Who may keep answers: of the API the caller alone, asking again before each use; what changes something is kept by nobody. */
import type { App } from './app.ts'
import { isApiPath, routePath } from './route-path.ts'
import { vary } from './vary.ts'

/** A route may set another `Cache-Control`, and errors are never kept. */
export function addCaching(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isApiPath(routePath(request))) return done()
    const reads = request.method === 'GET' || request.method === 'HEAD'
    reply.header('cache-control', reads ? 'private, no-cache' : 'no-store')
    if (reads) vary(reply, 'Authorization', 'Cookie', 'Accept-Encoding')
    done()
  })
}
