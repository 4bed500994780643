/** Redacts tokens in log lines, however their names are spelled. */

/** Matches a character, plain or percent-encoded, even twice. */
const spelled = (character: string) => {
  const codes = [character.toLowerCase(), character.toUpperCase()].map((c) => c.charCodeAt(0).toString(16))
  return `(?:${character === '=' ? '=' : character}|%(?:25)*(?:${[...new Set(codes)].join('|')}))`
}
const word = (text: string) => text.split('').map(spelled).join('')

/** Characters that end a value in a query string, in JSON, in a header or in a sentence. */
const VALUE = String.raw`[^&\s"'\\<>#;,]*`

const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // token=..., streamToken=..., session_token=..., and the same with the sign or the letters percent-encoded
  [new RegExp(`(${word('token')}${spelled('=')})${VALUE}`, 'gi'), '$1[redacted]'],
  // "token":"...", "streamToken":"...", also inside a JSON text that is a string of a log line
  [/((?:token|password|authorization|cookie)\\*["']\s*:\s*\\*["'])[^"'\\]*/gi, '$1[redacted]'],
  [/\b((?:bearer|basic)\s+)[\w.~+/:=-]+/gi, '$1[redacted]'],
  // A stream token anywhere in the text.
  [/\b[A-Za-z0-9_-]{21}(?::|%3a)[A-Za-z0-9_-]{21}(?::|%3a)\d+(?::|%3a)[0-9a-f]{64}\b/gi, '[redacted]'],
]

export function redact(text: string): string {
  return SECRETS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
}
