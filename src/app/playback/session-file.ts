/**
 * Tells whether a file is still the one that a session began with. If its content was replaced, the session's URLs must not deliver the new
 * content: players cache segments, and would mix two films.
 */
import type { FileDocument } from '../../../projections/views/files.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'

export const isUnchangedIn = ({ fingerprint }: Pick<SessionDocument, 'fingerprint'>, file: Pick<FileDocument, 'fingerprint'>): boolean =>
  fingerprint === undefined || fingerprint === file.fingerprint
