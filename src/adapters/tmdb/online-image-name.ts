import { isOnlineImageName } from '../../ports/online-metadata.ts'

/** The name of an image at the provider; null if it is missing, or of another form, such as SVG. */
export const onlineImageNameOf = (value: unknown): string | null => (isOnlineImageName(value) ? value : null)
