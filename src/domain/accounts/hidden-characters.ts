/**
 * Defines hidden characters: those that a reader cannot see, but that make two names look alike or reorder the text around them. Names and
 * e-mail addresses must not contain them.
 */

/**
 * Body of a character class, in the common syntax of regular expressions and JSON Schema: control characters (including NUL), soft hyphen,
 * Hangul fillers, zero-width space, word joiner and similar ones, line and paragraph separators, byte order mark, and all characters with
 * the Unicode property Bidi_Control (UAX #9). Zero-width joiners are allowed: emoji and some scripts need them.
 */
export const HIDDEN_CHARACTERS = String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0`
/** Includes the joiners: an address needs none. */
export const HIDDEN_IN_ADDRESSES = String.raw`${HIDDEN_CHARACTERS}\u200c\u200d\ufe00-\ufe0f`

/** Spaces allowed around a name: white space that is not hidden. */
export const SPACES = String.raw` \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`)

export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text)
