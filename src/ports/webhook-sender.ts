/** WebhookSender: one HTTP request to a receiver, bounded in time and size, to public and allowed addresses only. */

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type WebhookAnswer =
  /** `pauseMs`: the pause that the receiver asks for. */
  | { readonly type: 'answered'; readonly status: number; readonly pauseMs: number | undefined }
  /** `reason`: one clause, without anything of the URL beyond its host. */
  | { readonly type: 'failed'; readonly reason: string }

export interface WebhookSender {
  /** Posts it, and follows no redirect. @throws the signal's reason only */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>
  /** Why this URL can never be sent to; undefined if it may. Names are only resolved when a request is sent. */
  fault(url: string): string | undefined
}
