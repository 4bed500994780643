import { isPictureName } from '../../ports/online-metadata.ts'

/** The name of a picture at the provider; null if it is missing, or of another form, such as SVG. */
export const pictureNameOf = (value: unknown): string | null => (isPictureName(value) ? value : null)
