import type { QrCodes } from '../../ports/qr-codes.ts'

/** Loaded with the first code: most people never need one. */
export const createUqrCodes = (): QrCodes => ({
  async draw(text) {
    const { encode } = await import('uqr')
    const { size, data } = encode(text, { ecc: 'M' })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size, path: dark.join('') }
  },
})
