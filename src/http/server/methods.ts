/** Answers other methods of a known path with 405 and the allowed methods, before any other check; OPTIONS lists them. */
import { METHODS } from 'node:http'
import type { App } from './app.ts'
import { methodNotAllowed } from './errors.ts'
import { createPathTable, isPreferred, overlap, partsOf } from './path-table.ts'
import { withoutQuery } from './route-path.ts'

/** A route for what no other route takes: a path that only it takes is unknown. */
export const ANY_PATH = '/*'

interface Path {
  readonly url: string
  readonly parts: readonly string[]
  readonly methods: ReadonlySet<string>
}

/** Records the path of every route that is added from now on. Call `complete` after the last one: it adds these two responses. */
export function watchMethods(app: App): { complete(): void } {
  const methodsOf = new Map<string, Set<string>>()
  const allowOf = createPathTable<string>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    // Fastify does not announce the read of a plugin's path with a slash at the end, only its HEAD.
    if (methods.has('HEAD')) methods.add('GET')
    methodsOf.set(url, methods)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { allow } = request.routeOptions.config
    if (allow !== undefined && request.method !== 'OPTIONS') throw methodNotAllowed(allow)
    const others = request.is404 ? allowOf.find(withoutQuery(request.url)) : undefined
    if (others !== undefined) throw methodNotAllowed(others)
    done()
  })
  // Methods that Node parses and Fastify does not know, for example WebDAV's.
  for (const method of METHODS) if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  return {
    complete() {
      // The routes below are recorded too.
      const paths = [...methodsOf].map(([url, methods]): Path => ({ url, parts: partsOf(url), methods: new Set(methods) }))
      for (const path of paths) {
        const { url, methods } = path
        const allow = [...methods, 'OPTIONS'].toSorted().join(', ')
        if (url !== ANY_PATH) allowOf.add(url, allow)
        app.route({
          method: ['OPTIONS', ...shadowed(path, paths)],
          url,
          config: { access: 'public', limited: false, allow },
          schema: { hide: true },
          handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
        })
      }
    },
  }
}

/**
 * Methods that only other routes have, of which one would take the request: `DELETE /movies/:id` that of `/movies/anchors`. Routes for
 * all other methods would take as much memory and start time as all the rest.
 */
function shadowed(path: Path, paths: readonly Path[]): readonly string[] {
  const others = paths.filter((other) => other !== path && overlap(path.parts, other.parts) && isPreferred(path.parts, other.parts))
  const methods = new Set(others.flatMap((other) => [...other.methods]))
  return [...methods].filter((method) => !path.methods.has(method) && method !== 'OPTIONS')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The allowed methods of the path; this route handles OPTIONS and methods that another route would take. */
    allow?: string
  }
}
