/**
 * Handles the permissions of the user in the URL of NATS. Replies to each user come to subjects that name the user, so that a server can
 * keep other users from listening there. A server that refuses a subject does not close the connection: it drops the message or
 * subscription.
 */
import { ErrorCode, Events, NatsError, type NatsConnection as Client } from 'nats'
import type { NatsAddress } from './address.ts'

const INBOX = '_INBOX'
const WORD = /^[\w-]+$/
/** Most reports of one connection; a program that keeps publishing must not fill the log. */
const MAX_REPORTS = 20

/** `_INBOX.<user>`; below `_INBOX`, so permissions for `_INBOX.>` include it. `_INBOX` for a token or a name that is no word. */
export function inboxPrefixOf({ credentials }: NatsAddress): string {
  return credentials && 'user' in credentials && WORD.test(credentials.user) ? `${INBOX}.${credentials.user}` : INBOX
}

/** The error to report when the server refused a subject; undefined for other errors. */
export function refusalOf(error: Error): Error | undefined {
  return error instanceof NatsError && error.isPermissionError() ? refusal(error.message, error) : undefined
}

/** Reports each subject once that the server refused to publish to. Ends with the connection and never rejects. */
export async function reportRefusedMessages(client: Client, onError: (error: unknown) => void): Promise<void> {
  const reported = new Set<string>()
  try {
    for await (const { type, data, permissionContext: refused } of client.status()) {
      if (type !== Events.Error || data !== ErrorCode.PermissionsViolation || refused?.operation !== 'publish') continue
      if (reported.has(refused.subject) || reported.size >= MAX_REPORTS) continue
      reported.add(refused.subject)
      onError(refusal(`Permissions violation for publish to "${refused.subject}"`))
    }
  } catch (error) {
    onError(error)
  }
}

function refusal(text: string, cause?: Error): Error {
  return new Error(`${text}: give the user in MARQUEE_BUS the permissions of its role, as compose.yaml has them`, { cause })
}
