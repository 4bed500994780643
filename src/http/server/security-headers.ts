/**
 * Sets the security headers, which are the same for every response and therefore built once. Most people reach the server by plain http on
 * their own network. So browsers may be ordered to use https only if the server is reached by it: otherwise the documentation pages would
 * stay blank.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet, { type HelmetOptions } from 'helmet'
import type { App } from './app.ts'

const SELF = ["'self'"]
const NONE = ["'none'"]

type Headers = Readonly<Record<string, string>>

/** No page of this server needs these devices, so an injected page must not have them either. */
const NO_DEVICES = 'camera=(), microphone=(), geolocation=()'

export function addSecurityHeaders(app: App, publicUrl: string | undefined): void {
  const headers = headersFor(publicUrl)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/**
 * Helmet writes them to a response of nobody. Its plugin for Fastify would give each response a function of its own, with which the garbage
 * collector keeps the whole request in memory until it next collects everything.
 */
function headersFor(publicUrl: string | undefined): Headers {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(optionsFor(publicUrl))(response.req, response, throwIfAny)
  const named = response.getHeaderNames().map((name) => [name, String(response.getHeader(name))] as const)
  return { ...Object.fromEntries(named), 'permissions-policy': NO_DEVICES }
}

function throwIfAny(error?: unknown): void {
  if (error !== undefined) throw new Error('The security headers cannot be made', { cause: error })
}

function optionsFor(publicUrl: string | undefined): HelmetOptions {
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
