/**
 * Explains from a driver's errors why a server does not answer, in words for an operator. Each driver wraps the cause several layers deep
 * in
 * its own way, so the texts and codes of all layers are searched.
 */

interface Reason {
  readonly pattern: RegExp
  readonly text: string
}

/** The first match counts; more certain reasons come first. */
const REASONS: readonly Reason[] = [
  {
    pattern:
      /Authentication failed|AuthenticationFailed|code:18\b|AUTHORIZATION_VIOLATION|Authorization Violation|UNAUTHENTICATED|code:16\b/i,
    text: 'it refuses the name or the password. Correct them in the address',
  },
  {
    pattern: /not authorized|Unauthorized|code:13\b|PERMISSIONS_VIOLATION|Permissions Violation|PERMISSION_DENIED|Access ?Denied|code:7\b/i,
    text: 'the account has no right to what Marquee needs there. Grant it',
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN|getaddrinfo|Name resolution failed/i,
    text: 'the host name is unknown here. Correct the address, or the DNS of this machine',
  },
  {
    pattern: /wrong version number|WRONG_VERSION_NUMBER|packet length too long|EPROTO|SERVER_OPT_NA/i,
    text: 'this side speaks TLS and the server does not. Turn TLS off in the address (for EventStoreDB: tls=false)',
  },
  {
    pattern:
      /self.signed certificate|unable to (?:verify|get)|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|certificate has expired|CERT_|ERR_TLS_CERT_ALTNAME/i,
    text: 'its certificate is not trusted here. Name the file of your own authority in NODE_EXTRA_CA_CERTS, or in the address',
  },
  {
    pattern: /NotYetInitialized|code:94\b|RSGhost|no replset config/i,
    text: 'its replica set is not initiated. Run rs.initiate() there',
  },
  {
    pattern: /setName|replica set name|wrong replicaSet|no servers:ReplicaSetNoPrimary/i,
    text: 'it belongs to another replica set. Correct replicaSet in the address',
  },
  { pattern: /ReplicaSetNoPrimary|NotWritablePrimary|NotPrimary/i, text: 'its replica set has no primary. Look after the other members' },
  { pattern: /ECONNREFUSED/i, text: 'nothing listens there. Start the server, or correct the address' },
  { pattern: /EHOSTUNREACH|ENETUNREACH/i, text: 'there is no way to that host from here' },
  { pattern: /is no NATS server/i, text: 'another program answers there. Correct the address' },
  {
    pattern: /ECONNRESET|socket hang up|closed the connection|connection [^\n]{0,80}closed|EPIPE/i,
    text: 'it closes the connection at once, as when one side speaks TLS and the other does not. Correct the address',
  },
  { pattern: /Failed to discover|Server Is Not Ready|not ready/i, text: 'it has not come to a leader yet' },
]

const DEPTH_MAX = 8
const SILENT = 'it does not answer in time'

/** Why the server does not answer, and what to do; never contains the user name or password of an address. */
export function outageReason(cause: unknown): string {
  const text = textsOf(cause).join('\n')
  return REASONS.find(({ pattern }) => pattern.test(text))?.text ?? SILENT
}

/** Messages, names and codes of an error, of its causes, and of the servers in a topology description. */
function textsOf(cause: unknown, depth = 0): readonly string[] {
  if (depth > DEPTH_MAX || typeof cause !== 'object' || cause === null) return []
  const { message, name, code, codeName, type, servers, error, reason } = cause as Readonly<Record<string, unknown>>
  const own = [message, name, codeName, type].filter((text): text is string => typeof text === 'string')
  const coded = typeof code === 'string' || typeof code === 'number' ? [`code:${code}`, `${code}`] : []
  const known = servers instanceof Map ? [...servers.values()] : []
  const emptied = servers instanceof Map && servers.size === 0 && typeof type === 'string' ? [`no servers:${type}`] : []
  const wrapped = [cause instanceof Error ? cause.cause : undefined, error, reason, ...known, ...errorsOf(cause)]
  return [...own, ...coded, ...emptied, ...wrapped.flatMap((part) => textsOf(part, depth + 1))]
}

const errorsOf = (cause: object): readonly unknown[] => (cause instanceof AggregateError ? cause.errors : [])
