/**
 * Sets the security headers, which are the same for every response and therefore built once. Most people reach the server by plain http on
 * their own network. So browsers may be ordered to use https only if the server is reached by it: otherwise the documentation pages would
 * stay blank.
 */
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyReply } from 'fastify'
import type { App } from './app.ts'

const SELF = ["'self'"]
const NONE = ["'none'"]

type Headers = Readonly<Record<string, string>>

/** No page of this server needs these devices, so an injected page must not have them either. */
const NO_DEVICES = 'camera=(), microphone=(), geolocation=()'

export async function addSecurityHeaders(app: App, publicUrl: string | undefined): Promise<void> {
  await app.register(helmet, { ...optionsFor(publicUrl), global: false })
  let made: Headers | undefined
  app.addHook('onRequest', (_request, reply, done) => {
    made ??= make(reply)
    reply.headers(made)
    done()
  })
}

/** Helmet writes them to the raw response for each request; nothing else has been written there yet. */
function make(reply: FastifyReply): Headers {
  reply.helmet()
  const headers = Object.fromEntries(reply.raw.getHeaderNames().map((name) => [name, String(reply.raw.getHeader(name))]))
  for (const name of Object.keys(headers)) reply.raw.removeHeader(name)
  return { ...headers, 'permissions-policy': NO_DEVICES }
}

function optionsFor(publicUrl: string | undefined): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: SELF,
        baseUri: NONE,
        connectSrc: SELF,
        fontSrc: [...SELF, 'data:'],
        formAction: SELF,
        frameAncestors: NONE,
        imgSrc: [...SELF, 'data:'],
        objectSrc: NONE,
        scriptSrc: SELF,
        scriptSrcAttr: NONE,
        // The documentation pages set styles from their scripts.
        styleSrc: [...SELF, "'unsafe-inline'"],
      },
    },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: publicUrl?.startsWith('https:') === true ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  }
}
