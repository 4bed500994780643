/** Says which scope an access token needs for an operation. Sign-ins need none: they may do all that their user may. */
import type { AccessScope } from '../../events/account-events.ts'
import type { Caller } from '../../app/access/caller.ts'
import type { Access } from './operation.ts'

/** `sign-in`: no access token is enough, so that a leaked one cannot take the account over. */
export type NeededScope = AccessScope | 'sign-in'

/** What a player or a program that keeps marks in step needs. */
const PLAYBACK: ReadonlySet<string> = new Set([
  'startPlayback',
  'sendHeartbeat',
  'seek',
  'endPlayback',
  'dismissContinueWatching',
  'markWatched',
  'markUnwatched',
  'markMovies',
  'setResumePoint',
  'clearResumePoint',
  'addToWatchlist',
  'removeFromWatchlist',
  'testUpload',
])

/**
 * The security of accounts, one's own and others'. Who may make or change users could make a sign-in that outlives the token. The export and
 * one's own audit list one's logins and tokens, with addresses. Everybody's audit is for administrators' programs, too.
 */
const SIGN_IN: ReadonlySet<string> = new Set([
  'listSessions',
  'revokeSession',
  'revokeOtherSessions',
  'changePassword',
  'changeMe',
  'eraseMe',
  'getSecondFactor',
  'prepareSecondFactor',
  'activateSecondFactor',
  'disableSecondFactor',
  'replaceBackupCodes',
  'resetSecondFactor',
  'listPasskeys',
  'preparePasskey',
  'addPasskey',
  'removePasskey',
  'getSingleSignOn',
  'linkSingleSignOn',
  'unlinkSingleSignOn',
  'getUserSingleSignOn',
  'unlinkUserSingleSignOn',
  'giveLinkConsent',
  'withdrawLinkConsent',
  'listAccessTokens',
  'createAccessToken',
  'revokeAccessToken',
  'createUser',
  'changeUser',
  'listLogins',
  'endLogin',
  'setPassword',
  'removeUser',
  'exportMe',
  'listOwnAudit',
])

/** Operations that deviate from the rule by method and callers. */
export const DEVIATING: ReadonlySet<string> = new Set([...PLAYBACK, ...SIGN_IN])

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Operation {
  readonly id: string | undefined
  readonly method: string | readonly string[]
  readonly access: Access
}

/** Null: a public operation. */
export function neededScope({ id = '', method, access }: Operation): NeededScope | null {
  if (access === 'public') return null
  if (SIGN_IN.has(id)) return 'sign-in'
  if (PLAYBACK.has(id) || access === 'stream') return 'playback'
  if (access === 'admin') return 'admin'
  return [method].flat().every((one) => SAFE.has(one)) ? 'read' : 'write'
}

/** What is missing, in words; undefined if the caller may do this. */
export function missingScope({ scopes }: Pick<Caller, 'scopes'>, needed: NeededScope | null): string | undefined {
  if (!scopes || needed === null || needed === 'read') return undefined
  if (needed === 'sign-in') return 'An access token may not do this: sign in'
  return scopes.includes(needed) ? undefined : `This access token lacks the scope \`${needed}\``
}
