/** Answers other methods of a known path with 405 and the allowed methods, before any other check; OPTIONS lists them. */
import { METHODS } from 'node:http'
import type { App } from './app.ts'
import { methodNotAllowed } from './errors.ts'

/** Records the path of every route that is added from now on. Call `complete` after the last one: it adds these two responses. */
export function watchMethods(app: App): { complete(): void } {
  const urls = new Set<string>()
  app.addHook('onRoute', ({ url }) => void urls.add(url))
  app.addHook('onRequest', (request, _reply, done) => {
    const { allow } = request.routeOptions.config
    if (allow !== undefined && request.method !== 'OPTIONS') throw methodNotAllowed(allow)
    done()
  })
  // Methods that Node parses and Fastify does not know, for example WebDAV's.
  for (const method of METHODS) if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  return {
    complete: () => [...urls].forEach((url) => complete(app, url)),
  }
}

function complete(app: App, url: string): void {
  const isKnown = (method: string) => app.hasRoute({ method, url })
  const allow = [...app.supportedMethods.filter(isKnown), 'OPTIONS'].toSorted().join(', ')
  app.route({
    method: app.supportedMethods.filter((method) => !isKnown(method)),
    url,
    config: { access: 'public', limited: false, allow },
    schema: { hide: true },
    handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The allowed methods of the path; this route handles the others and OPTIONS. */
    allow?: string
  }
}
