/**
 * Tells whether a file is still the one that a session began with. If its content was replaced, the session's URLs must not deliver segments
 * of the new content: players cache segments, and would mix two films. The file itself has another entity tag then.
 */
import type { FileDocument } from '../../../projections/views/files.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { refuse } from '../../domain/refusal.ts'

/** Players start a new session on 404. */
export const FILE_REPLACED = refuse('not-found', 'The file of this session was replaced: start a new session')

export const isUnchangedIn = ({ fingerprint }: Pick<SessionDocument, 'fingerprint'>, file: Pick<FileDocument, 'fingerprint'>): boolean =>
  fingerprint === undefined || fingerprint === file.fingerprint

/** Why nothing of the session is streamed any more: its file was replaced; null if it was not. */
export const fileProblem = (session: SessionDocument, file: Pick<FileDocument, 'fingerprint'> | undefined): string | null =>
  file === undefined || isUnchangedIn(session, file) ? null : FILE_REPLACED.message
