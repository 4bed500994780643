/** What somebody typed into a field or an address, as far as the API takes it. Pure. */

const MOST = 200

/** At most 200 characters, as the API counts them, so that none is cut in half. */
export const queryText = (text: string): string => [...text.trim()].slice(0, MOST).join('')

export const isId = (text: string): boolean => /^[^\W_][\w-]{20}$/.test(text)
export const isYear = (text: string): boolean => /^\d{1,4}$/.test(text)
export const isText = (text: string): boolean => text !== '' && [...text].length <= MOST
