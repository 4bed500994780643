/** Types of entries that the audit can be filtered by: those that people ask for. */
import type { AuditQuery } from './past-queries.ts'
import { addDays, beginOf, isDate, ownZone } from './time-zone.ts'
import { isId } from './typed.ts'

export const AUDIT_TYPES = [
  'SignedIn',
  'SignInRefused',
  'SignedOut',
  'LoginRevoked',
  'AccessTokenIssued',
  'SecondFactorEnabled',
  'SecondFactorDisabled',
  'PasskeyAdded',
  'PasskeyRemoved',
  'IdentityLinked',
  'IdentityUnlinked',
  'LinkConsentGiven',
  'LinkConsentWithdrawn',
  'RecoveryCodeUsed',
  'AccessDenied',
  'HistoryViewed',
  'HistoryHidden',
  'HistoryImportStarted',
  'UserRegistered',
  'UserProfileChanged',
  'UserEmailChanged',
  'UserPasswordChanged',
  'UserRoleChanged',
  'UserAccessChanged',
  'UserStreamLimitChanged',
  'UserDisabled',
  'UserEnabled',
  'UserRemoved',
  'UserErased',
  'KeyShredded',
  'LibraryCreated',
  'LibraryRenamed',
  'LibraryRootAdded',
  'LibraryRootRemoved',
  'LibrarySettingsChanged',
  'LibraryRemoved',
  'LibraryRestored',
  'LibraryWentOffline',
  'LibraryCameOnline',
  'LibraryMassMissing',
  'ScanRequested',
  'ScanStarted',
  'ScanCompleted',
  'ScanFailed',
  'ScanCancelled',
  'MovieDiscovered',
  'MovieEdited',
  'MovieMatchPinned',
  'MovieArtworkChosen',
  'MovieMarkedWatched',
  'MovieMarkedUnwatched',
  'PlaybackStarted',
  'PlaybackHeartbeat',
  'PlaybackSeeked',
  'PlaybackEnded',
  'PlaybackCommandIssued',
  'CheckpointKeyRotated',
  'RebuildRequested',
  'WebhookAdded',
  'WebhookChanged',
  'WebhookDisabled',
  'WebhookRemoved',
] as const satisfies readonly NonNullable<AuditQuery['type']>[]

/** The query of the API. Values that the API would refuse are left out. */
export function auditAsked(search: string): AuditQuery {
  const query = new URLSearchParams(search)
  const type = AUDIT_TYPES.find((one) => one === query.get('type'))
  const ids = (['actorId', 'targetId', 'requestId'] as const).flatMap((name) => {
    const value = query.get(name)?.trim() ?? ''
    return isId(value) ? [[name, value] as const] : []
  })
  const [from, to] = [query.get('from'), query.get('to')].map((text) => (isDate(text) ? text : undefined))
  const isRange = from === undefined || to === undefined || from <= to
  return {
    ...Object.fromEntries(ids),
    ...(type === undefined ? {} : { type }),
    ...(from !== undefined && isRange ? { from: startOf(from) } : {}),
    ...(to !== undefined && isRange ? { to: startOf(addDays(to, 1)) } : {}),
  }
}

/** In this browser's time zone: people look for what happened on a day of theirs. */
const startOf = (date: string): string => new Date(beginOf(date, ownZone())).toISOString()
