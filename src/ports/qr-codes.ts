/** Draws QR codes. */
export interface QrCodes {
  /** A square of `size` modules; the path data (SVG) covers the dark ones, a module being 1 by 1. */
  draw(text: string): Promise<{ readonly size: number; readonly path: string }>
}
