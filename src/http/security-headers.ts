/**
 * Security headers. Most people reach the server by plain http on their own network, so nothing may ask browsers for https unless
 * the server is reached by it: the documentation pages would stay blank.
 */
import type { FastifyHelmetOptions } from '@fastify/helmet'

const SELF = ["'self'"]
const NONE = ["'none'"]

export function securityHeaders(publicUrl: string | undefined): FastifyHelmetOptions {
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
