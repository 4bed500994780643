/**
 * Signs what a client carries from one request to the next, such as the proof of the right password between the two steps of a sign-in. The
 * server keeps nothing of it, so any node takes the next request. It is signed, not encrypted: the client can read it.
 */
import type { Clock } from '../../ports/clock.ts'
import { readSignedText, signText } from './signed-text.ts'

/** What a text is for: none serves another purpose than its own. */
export type PassingPurpose = 'second-factor' | 'passkey' | 'oidc-pending' | 'oidc-ticket'

export interface PassingTexts {
  /** `value`: anything that JSON can carry. */
  sign(this: void, purpose: PassingPurpose, value: unknown, lifeMs: number): string
  /**
   * The value that was signed for this purpose; undefined if the text is forged or too old. This server wrote it, so its form needs no
   * further check.
   */
  read(this: void, purpose: PassingPurpose, signed: string): unknown
}

export interface PassingTextsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** The secret that signs, then older ones that still verify. */
  readonly secrets: readonly [string, ...string[]]
}

export function createPassingTexts({ clock, secrets }: PassingTextsOptions): PassingTexts {
  return {
    sign(purpose, value, lifeMs) {
      const encoded = Buffer.from(JSON.stringify(value)).toString('base64url')
      return signText(secrets[0], `${purpose}:${encoded}:${clock.now() + lifeMs}`)
    },
    read(purpose, signed) {
      const parts = /^([a-z-]+):([\w-]+):(\d{1,15})$/.exec(readSignedText(secrets, signed) ?? '')
      const [, written, encoded = '', endMs] = parts ?? []
      if (written !== purpose || clock.now() >= Number(endMs)) return undefined
      return JSON.parse(Buffer.from(encoded, 'base64url').toString())
    },
  }
}
