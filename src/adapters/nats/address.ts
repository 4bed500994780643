/** Parses the URL of NATS into servers, credentials and prefix: `nats://user:password@host:4222,other:4222/prefix`. */
export interface NatsHost {
  readonly host: string
  readonly port: number
}

export interface NatsAddress {
  readonly hosts: readonly NatsHost[]
  readonly credentials: { readonly user: string; readonly pass: string } | { readonly token: string } | undefined
  /** `tls://`: a server without TLS is refused. `nats://` follows the server's requirement. */
  readonly tls: boolean
  /** Prefix of the installation, so that several can share a server. */
  readonly prefix: string | undefined
}

const DEFAULT_PORT = 4222
const SCHEME = /^(nats|tls):\/\//
const PREFIX = /^[\w-]+$/

/** @throws TypeError whose text does not repeat the URL, which may hold a password */
export function parseNatsUrl(url: string): NatsAddress {
  const scheme = SCHEME.exec(url)?.[0]
  const parts = url.split(',').map((part) => parse(SCHEME.test(part) ? part : `${scheme}${part}`))
  if (!scheme) throw notAnAddress()
  const prefix = parts.map(({ pathname }) => pathname.replace(/^\//, '')).find((path) => path !== '')
  if (prefix !== undefined && !PREFIX.test(prefix)) throw notAnAddress()
  return {
    hosts: parts.map(({ hostname, port }) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) })),
    credentials: credentialsOf(parts.find(({ username }) => username !== '')),
    tls: scheme === 'tls://',
    prefix,
  }
}

/** In the client's usual notation. */
export const nameOfHost = ({ host, port }: NatsHost): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)

function parse(part: string): URL {
  const url = URL.parse(part)
  if (!url?.hostname) throw notAnAddress()
  return url
}

/** A name without a password is a token, as NATS defines it. */
function credentialsOf(url: URL | undefined): NatsAddress['credentials'] {
  if (!url) return undefined
  try {
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return pass === '' ? { token: user } : { user, pass }
  } catch {
    throw notAnAddress()
  }
}

function notAnAddress(): TypeError {
  return new TypeError(
    'The URL of NATS is not like nats://user:password@host:4222/prefix (nats:// or tls://, several hosts by commas, a prefix of letters, digits, - and _)',
  )
}
