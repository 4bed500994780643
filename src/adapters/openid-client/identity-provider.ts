/**
 * IdentityProvider with openid-client: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636, RFC 9207). The
 * library loads the provider's keys, and verifies the ID token with its signature.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type Configuration,
} from 'openid-client'
import type { Clock } from '../../ports/clock.ts'
import { ProviderAway, type Identity, type IdentityProvider, type SignInChecks } from '../../ports/identity-provider.ts'
import type { Report } from '../../ports/report.ts'

export interface IdentityProviderOptions {
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined
  readonly scopes: string
  readonly groupsClaim: string
  readonly clock: Pick<Clock, 'monotonic'>
  readonly onError: Report
}

const TIMEOUT_SECONDS = 10
/** Age after which the provider's description is loaded again. */
const DESCRIPTION_MS = 3_600_000
/** The longest text that is taken from the provider. */
const TEXT_MAX = 254
/** Answers of the provider that mean: not now, or not this person. */
const CANCELLED = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required', 'account_selection_required'])
/** Errors that pass without a change of the settings. */
const PASSING = new Set(['temporarily_unavailable', 'server_error'])

interface State extends IdentityProviderOptions {
  described: { readonly configuration: Promise<Configuration>; readonly atMs: number } | undefined
}

export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const state: State = { ...options, described: undefined }
  return {
    begin: (redirectUri) => begin(state, redirectUri),
    complete: (callback, checks) => complete(state, callback, checks),
  }
}

function configurationOf(state: State): Promise<Configuration> {
  const nowMs = state.clock.monotonic()
  if (state.described && nowMs - state.described.atMs < DESCRIPTION_MS) return state.described.configuration
  const described = { configuration: discover(state), atMs: nowMs }
  state.described = described
  described.configuration.catch(() => {
    if (state.described === described) state.described = undefined
  })
  return described.configuration
}

async function discover({ issuer, clientId, clientSecret }: State): Promise<Configuration> {
  const server = new URL(issuer)
  // The operator has written http: a provider in the same house, without a certificate.
  const execute = server.protocol === 'http:' ? [allowInsecureRequests] : []
  try {
    const configuration = await discovery(server, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS })
    if (hasSigningKeys(configuration)) enableNonRepudiationChecks(configuration)
    return configuration
  } catch (cause) {
    throw new ProviderAway(`The identity provider ${server.host} cannot be asked: ${reasonOf(cause)}`, { cause })
  }
}

/** False if it signs only with the client's secret (HS256), which the library cannot verify: then the connection vouches for the token. */
function hasSigningKeys(configuration: Configuration): boolean {
  const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = configuration.serverMetadata()
  return algorithms.some((algorithm) => !algorithm.startsWith('HS'))
}

async function begin(state: State, redirectUri: string) {
  const configuration = await configurationOf(state)
  const checks: SignInChecks = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: state.scopes,
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, checks }
}

async function complete(state: State, callback: URL, checks: SignInChecks): Promise<Identity | 'cancelled' | 'refused'> {
  const configuration = await configurationOf(state)
  try {
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) return 'refused'
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return identityOf(state, { ...more, ...claims })
  } catch (cause) {
    return outcomeOf(state, cause)
  }
}

function outcomeOf({ onError }: State, cause: unknown): 'cancelled' | 'refused' {
  if (cause instanceof AuthorizationResponseError) {
    if (CANCELLED.has(cause.error)) return 'cancelled'
    if (PASSING.has(cause.error)) throw new ProviderAway(`The identity provider answered ${reasonOf(cause)}`, { cause })
  }
  if (
    cause instanceof AuthorizationResponseError ||
    cause instanceof ResponseBodyError ||
    (cause instanceof ClientError && cause.code !== 'OAUTH_TIMEOUT')
  ) {
    onError(new Error(`A single sign-on was refused: ${reasonOf(cause)}`), 'warn')
    return 'refused'
  }
  throw new ProviderAway(`The identity provider does not answer: ${reasonOf(cause)}`, { cause })
}

/** Without anything that the provider sent beyond its error code: it may contain tokens. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError) return cause.error
  if (!(cause instanceof Error)) return 'unknown'
  const inner = cause.cause
  return inner instanceof Error && 'code' in inner ? `${cause.message} (${String(inner.code)})` : cause.message
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

function identityOf({ groupsClaim }: State, claims: Claims): Identity {
  const groups = claims[groupsClaim]
  const named = Array.isArray(groups) ? groups : [groups]
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf(claims['email']),
    // Some providers send it as text.
    emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
    groups: named.filter((group) => typeof group === 'string'),
  }
}

const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim !== '' ? claim.slice(0, TEXT_MAX) : null)
