/**
 * Builds the content security policy of the web client's pages: scripts and styles from this server only, no inline script, and no HTML
 * from
 * strings (Trusted Types without any policy). Segments come from `blob:` addresses that Media Source Extensions create.
 */

/** `styleHash`: hash source of the only inline style, including its quotes. */
export const webPolicy = (styleHash: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleHash}`,
    "img-src 'self' data:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
