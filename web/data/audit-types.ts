/** Types of entries that the audit can be filtered by: those that people ask for. */
import type { AuditQuery } from './past-queries.ts'

export const AUDIT_TYPES = [
  'SignedIn',
  'SignInRefused',
  'SignedOut',
  'LoginRevoked',
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

/** What the API would refuse is left out. */
export function auditAsked(search: string): AuditQuery {
  const query = new URLSearchParams(search)
  const type = AUDIT_TYPES.find((one) => one === query.get('type'))
  const ids = (['actorId', 'targetId', 'requestId'] as const).flatMap((name) => {
    const value = query.get(name)?.trim() ?? ''
    return /^[A-Za-z0-9_-]{21}$/.test(value) ? [[name, value] as const] : []
  })
  const from = query.get('from')
  const to = query.get('to')
  const isRange = !from || !to || from <= to
  return {
    ...Object.fromEntries(ids),
    ...(type === undefined ? {} : { type }),
    ...(from && isRange ? { from: timeOf(from, 0) } : {}),
    ...(to && isRange ? { to: timeOf(to, 1) } : {}),
  }
}

/** Of this browser's midnights: people look for what happened on a day of theirs. */
function timeOf(date: string, days: number): string {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day + days).toISOString()
}
