/**
 * Serves the web client: its pages, which share one shell with different preloads, and its files, which never change under their names.
 * They
 * need no authentication and have no rate limit: pages fetch their data from the API.
 */
import { hash } from 'node:crypto'
import { brotliCompress, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../server/app.ts'
import { notFound, unauthenticated } from '../server/errors.ts'
import { ANY_PATH } from '../server/methods.ts'
import { checkPreconditions } from '../server/preconditions.ts'
import { decoded, isApiPath } from '../server/route-path.ts'
import { takesCoding } from '../server/text-response.ts'
import { vary } from '../server/vary.ts'
import type { Coding, WebClient, WebFiles, WebPage } from './files.ts'
import { webPolicy } from './policy.ts'

const OPEN = { access: 'public', limited: false, servedWhileStale: true } as const
const HIDDEN = { hide: true } as const
const YEAR = 'public, max-age=31536000, immutable'
const PARAMETER = /:(\w+)/g
const PREFIX = 'web_'
const THEMES: ReadonlySet<string> = new Set(['dark', 'light'])
const TAG_LENGTH = 22

const MISSING = `<!doctype html><meta charset="utf-8"><title>Marquee</title><h1>The web client is not built</h1>
<p>Run <code>npm run web</code> in the folder of Marquee and load this page again. The API works: <a href="/docs">/docs</a>.</p>`

/** A shell in each encoding, built once for each page, theme and kind of caller. */
interface Shell {
  readonly bodies: Readonly<Record<Coding, Buffer>>
  readonly tag: string
}

/**
 * Registers the pages of the build that exists when the server starts. If there is none, each request looks its path up in the current
 * build, so the client works as soon as it is built.
 */
export async function addWebRoutes(app: App, files: WebFiles): Promise<void> {
  const client = await files.read().catch(() => undefined)
  const shells = createShells()
  addAssetRoute(app, files)
  addAppManifestRoute(app, files)

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // An unreadable build counts as none: the API goes on.
    const built = await files.read().catch((err: unknown) => unreadable(request, err))
    const path = pathOf(request)
    if (isApiPath(decoded(path)) && !request.caller) throw unauthenticated()
    const page = built?.manifest.pages.find((page) => paramsOf(page, path))
    if (!built && (client || isAddressOfPage(request, path))) return reply.code(503).header('retry-after', '5').type(HTML).send(MISSING)
    if (!built || !page) throw notFound()
    const isSignedIn = request.caller !== null
    if (isSignedIn && page.preload !== null) reply.header('link', preloadOf(page.preload, paramsOf(page, path) ?? {}))
    return sendShell({ request, reply }, built, await shells(built, { page, isSignedIn, theme: themeOf(request) }))
  }

  for (const path of client ? client.manifest.pages.map((page) => page.path) : ['/', ANY_PATH])
    // The page handles its parameters; the prefix keeps the server from validating them.
    app.route({ method: 'GET', url: path.replaceAll(PARAMETER, `:${PREFIX}$1`), config: OPEN, schema: HIDDEN, handler })
}

const OF_SERVER = /^\/(v1|api|docs|assets)\//

/** Whether a person may have typed or bookmarked the address: without a build the list of pages is unknown. */
const isAddressOfPage = ({ headers }: FastifyRequest, path: string): boolean =>
  path === '/' || (headers.accept?.includes('text/html') === true && !OF_SERVER.test(path))

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? ''

/** The named parts of the path, decoded; undefined if it is not the page's. */
function paramsOf({ path: pattern }: Pick<WebPage, 'path'>, path: string): Readonly<Record<string, string>> | undefined {
  const [names, values] = [pattern.split('/'), path.split('/')]
  if (names.length !== values.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? ''
    if (name.startsWith(':') && value !== '') params[name.slice(1)] = decoded(value)
    else if (name !== value) return undefined
  }
  return params
}

function unreadable({ log }: FastifyRequest, err: unknown): undefined {
  log.warn({ err }, 'The web client could not be read')
}

/** A header rather than an element: the page itself stays the same for all films. */
function preloadOf(template: string, params: Readonly<Record<string, string>>): string {
  const path = template.replaceAll(PARAMETER, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return `<${path}>; rel=preload; as=fetch; crossorigin`
}

const HTML = 'text/html; charset=utf-8'

function addAssetRoute(app: App, files: WebFiles): void {
  app.route({
    method: 'GET',
    url: '/assets/:name',
    config: OPEN,
    schema: HIDDEN,
    handler: async (request, reply) => {
      const file = (await files.read().catch(() => undefined))?.files.get(String(Reflect.get(Object(request.params), 'name')))
      if (!file) throw notFound()
      const coding = codingOf(request)
      vary(reply, 'Accept-Encoding')
      if (coding !== 'identity') reply.header('content-encoding', coding)
      return reply.header('cache-control', YEAR).type(file.type).send(file.bodies[coding])
    },
  })
}

/** Under a fixed address, which installed apps remember. */
function addAppManifestRoute(app: App, files: WebFiles): void {
  app.route({
    method: 'GET',
    url: '/manifest.webmanifest',
    config: OPEN,
    schema: HIDDEN,
    handler: async (request, reply) => {
      const text = (await files.read().catch(() => undefined))?.manifest.app
      if (text === undefined) throw notFound()
      const tag = tagOf(text)
      reply.header('cache-control', 'no-cache').header('etag', tag)
      return isKnown(request, tag) ? reply.code(304).send() : reply.type('application/manifest+json').send(text)
    },
  })
}

const tagOf = (text: string | Buffer): string => `W/"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`

function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']
  return known !== undefined && checkPreconditions({ 'if-none-match': known }, { etag }) === 'not-modified'
}

interface ShellKind {
  readonly page: WebPage
  readonly isSignedIn: boolean
  readonly theme: string | undefined
}

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** Bounded by the number of pages times themes times two. */
function createShells() {
  let of: WebClient | undefined
  const made = new Map<string, Promise<Shell>>()

  async function make(text: string): Promise<Shell> {
    const identity = Buffer.from(text)
    const [gzipped, br] = await Promise.all([compressGzip(identity), compressBrotli(identity)])
    return { bodies: { identity, gzip: gzipped, br }, tag: tagOf(identity) }
  }

  return (client: WebClient, kind: ShellKind): Promise<Shell> => {
    if (of !== client) made.clear()
    of = client
    const key = `${kind.page.path} ${kind.isSignedIn} ${kind.theme}`
    const shell = made.get(key) ?? make(shellOf(client, kind))
    made.set(key, shell)
    return shell
  }
}

function shellOf({ manifest }: WebClient, { page, isSignedIn, theme }: ShellKind): string {
  const scripts = isSignedIn || page.forAnyone ? [...manifest.entry, ...page.scripts] : manifest.entry
  const parts = {
    html: `${isSignedIn ? ' data-user' : ''}${theme === undefined ? '' : ` data-theme="${theme}"`}`,
    dark: mediaOf('dark', theme),
    light: mediaOf('light', theme),
    head: scripts.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join(''),
    tail: `<link rel="stylesheet" href="/assets/${manifest.style}"><script type="module" src="/assets/${manifest.entry[0]}"></script>`,
  }
  return Object.entries(parts).reduce((text, [name, value]) => text.replace(`{{${name}}}`, () => value), manifest.shell)
}

/** When the browser's frame takes the colour of a theme. */
const mediaOf = (theme: string, chosen: string | undefined): string =>
  chosen === undefined ? `(prefers-color-scheme: ${theme})` : chosen === theme ? 'all' : 'not all'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

function sendShell({ request, reply }: Exchange, { manifest }: WebClient, { bodies, tag }: Shell) {
  vary(reply, 'Accept-Encoding', 'Cookie')
  reply.header('content-security-policy', webPolicy(manifest.styleHash)).header('cache-control', 'no-cache').header('etag', tag)
  if (isKnown(request, tag)) return reply.code(304).send()
  const coding = codingOf(request)
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(HTML).send(bodies[coding])
}

/** The theme chosen in this browser, so that the first frame has its colours. */
function themeOf({ cookies }: FastifyRequest): string | undefined {
  const { theme } = cookies
  return theme !== undefined && THEMES.has(theme) ? theme : undefined
}

function codingOf({ headers }: FastifyRequest): Coding {
  const accepted = headers['accept-encoding']
  if (takesCoding(accepted, 'br')) return 'br'
  return takesCoding(accepted, 'gzip') ? 'gzip' : 'identity'
}
