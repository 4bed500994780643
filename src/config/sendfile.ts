/** Reads `MARQUEE_SENDFILE`, and checks what it needs. */
import type { Reader } from './reading.ts'

/** `x-sendfile`, or `x-accel-redirect:` with the prefix of nginx's internal locations, without a slash at its end. */
export const sendfile: Reader<string> = (text) =>
  /^(?:x-sendfile|x-accel-redirect:(?:\/[\w.~-]+)+)$/.test(text) && !/\/\.\.?(?:\/|$)/.test(text)
    ? text
    : { wanted: 'x-sendfile, or x-accel-redirect and an internal location such as x-accel-redirect:/marquee-files' }

export interface SendfileSettings {
  readonly sendfile?: string | undefined
  readonly trustedProxies?: readonly string[] | undefined
  readonly mediaRoots?: readonly string[] | undefined
}

/** Nothing would be handed over without a trusted proxy, and any file of this machine might be without named folders. */
export function brokenSendfile({
  sendfile,
  trustedProxies,
  mediaRoots,
}: SendfileSettings): readonly { readonly name: string; readonly message: string }[] {
  if (sendfile === undefined) return []
  const missing = [
    { name: 'MARQUEE_TRUSTED_PROXIES', value: trustedProxies, why: 'the proxy that may send files' },
    { name: 'MARQUEE_MEDIA_ROOTS', value: mediaRoots, why: 'the folders whose films it may send' },
  ].filter(({ value }) => value === undefined)
  return missing.map(({ name, why }) => ({ name, message: `${name} is missing: with MARQUEE_SENDFILE, give ${why}.` }))
}
