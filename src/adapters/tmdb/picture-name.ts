/** Checks names of pictures at the provider: nothing else ever becomes part of an address. */

const PICTURE = /^\/[A-Za-z0-9_-]{1,100}\.(?:jpg|png|webp)$/

export const isPictureName = (value: unknown): value is string => typeof value === 'string' && PICTURE.test(value)

/** Null if it is missing, or of another form, such as SVG. */
export const pictureNameOf = (value: unknown): string | null => (isPictureName(value) ? value : null)
