/** What makes the client an app that can be installed: its manifest, and icons drawn from the one of the page. Part of the build. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface AppIcon {
  /** Of the file, with the hash of its content. */
  readonly name: string
  readonly bytes: Uint8Array
  /** `512x512`, or `any` for a drawing. */
  readonly sizes: string
  readonly type: string
  /** A maskable icon fills its square, so that systems can cut any shape out of it. */
  readonly purpose: 'any' | 'maskable'
}

/** Of the page's dark theme, as in `styles/critical.css`. */
const BACKGROUND = '#121116'
/** Of the icon itself. */
const ICON_BACKGROUND = '#17161c'
/** Of a maskable icon's side: what any shape leaves is a circle of 80 %. */
const MASKABLE_SHARE = 0.8
const SIZES = [192, 512] as const
const MASKABLE_SIZE = 512
const DENSITY = 72
const SVG_SIDE = 32
const HASH_LENGTH = 8

/** `assets`: where earlier builds have put theirs. Icons that are there already are not drawn again. */
export async function appIcons(svg: Uint8Array, assets: string): Promise<readonly AppIcon[]> {
  const hash = createHash('sha256').update(svg).digest('base64url').slice(0, HASH_LENGTH)
  const drawn = async (name: string, draw: () => Promise<Uint8Array>): Promise<Pick<AppIcon, 'name' | 'bytes'>> => {
    const path = join(assets, name)
    return { name, bytes: existsSync(path) ? readFileSync(path) : await draw() }
  }
  const type = 'image/png'
  const plain = SIZES.map(async (side) => ({
    ...(await drawn(`icon-${side}-${hash}.png`, () => drawIcon(svg, side))),
    sizes: `${side}x${side}`,
    type,
    purpose: 'any' as const,
  }))
  const maskable = {
    ...(await drawn(`icon-maskable-${hash}.png`, () => drawMaskable(svg, MASKABLE_SIZE))),
    sizes: `${MASKABLE_SIZE}x${MASKABLE_SIZE}`,
    type,
    purpose: 'maskable' as const,
  }
  const page = { name: `icon-${hash}.svg`, bytes: svg, sizes: 'any', type: 'image/svg+xml', purpose: 'any' as const }
  return [page, ...(await Promise.all(plain)), maskable]
}

/** JSON of the manifest (https://www.w3.org/TR/appmanifest/). */
export function appManifest(icons: readonly AppIcon[]): string {
  return JSON.stringify({
    id: '/',
    name: 'Marquee',
    short_name: 'Marquee',
    description: 'The films of this household.',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: BACKGROUND,
    theme_color: BACKGROUND,
    icons: icons.map(({ name, sizes, type, purpose }) => ({ src: `/assets/${name}`, sizes, type, purpose })),
  })
}

/** Loaded only if something has to be drawn: that takes longer than the rest of the build. */
async function drawIcon(svg: Uint8Array, side: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  return sharp(svg, { density: (DENSITY * side) / SVG_SIDE })
    .resize(side, side)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

async function drawMaskable(svg: Uint8Array, side: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const inner = Math.round(side * MASKABLE_SHARE)
  return sharp({ create: { width: side, height: side, channels: 3, background: ICON_BACKGROUND } })
    .composite([{ input: Buffer.from(await drawIcon(svg, inner)), gravity: 'centre' }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}
