/** Reports trouble of the followers' subscriptions to the operator: once for each outage and each fault, however many followers meet it. */
import type { Position } from '../../events/position.ts'
import type { Report } from '../../ports/report.ts'

export interface Reports {
  /** A subscription was lost, or could not be opened. */
  dropped(cause: unknown): void
  /** The server has accepted a subscription. */
  confirmed(): void
  /** A follower resumes from a position that does not exist in this log. */
  stranger(after: Position): void
}

export interface ReportOptions {
  /** Called each time. */
  readonly dropped: (cause: unknown) => void
  readonly onError: Report
}

export function createReports({ dropped, onError }: ReportOptions): Reports {
  let isOut = false
  let isOther = false
  return {
    dropped(cause) {
      dropped(cause)
      if (!isOut) onError(new Error('The events of EventStoreDB cannot be followed at the moment', { cause }), 'warn')
      isOut = true
    },
    confirmed() {
      if (isOut) onError(new Error('The events of EventStoreDB are followed again'), 'info')
      isOut = false
    },
    stranger(after) {
      if (!isOther) {
        const why = 'it is another log than before, such as a restored backup. Empty the read store, so that all views are rebuilt'
        onError(new Error(`EventStoreDB has no event at position ${BigInt(after)}, which was read before: ${why}`))
      }
      isOther = true
    },
  }
}
