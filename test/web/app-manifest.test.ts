import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { buildWeb } from '../../web/build.ts'

const WEB = join(import.meta.dirname, '../../web')
const { app, shell, sizes } = await buildWeb()
const manifest = JSON.parse(app) as Readonly<Record<string, unknown>> & {
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly type: string; readonly purpose: string }[]
}
const pathOf = (src: string): string => join(WEB, 'dist', src)

t.test('the client can be installed: it has a name, a start and a window of its own', async (t) => {
  t.match(manifest, { name: 'Marquee', short_name: 'Marquee', id: '/', start_url: '/', scope: '/', display: 'standalone' })
  t.match(shell, '<link rel="manifest" href="/manifest.webmanifest"')
})

t.test('its icons are of the build, and as large as the manifest says', async (t) => {
  t.strictSame(
    manifest.icons.map((icon) => [icon.sizes, icon.type, icon.purpose]),
    [
      ['any', 'image/svg+xml', 'any'],
      ['192x192', 'image/png', 'any'],
      ['512x512', 'image/png', 'any'],
      ['512x512', 'image/png', 'maskable'],
    ],
  )
  for (const icon of manifest.icons) t.ok(sizes[icon.src.replace('/assets/', '')], icon.src)
  for (const { src, sizes: named } of manifest.icons.slice(1)) {
    const { width, height, format } = await sharp(pathOf(src)).metadata()
    t.match({ format, named: `${width}x${height}` }, { format: 'png', named })
  }
  t.match(shell, `<link rel="apple-touch-icon" href="${manifest.icons[1]?.src}"`)
})

t.test('a maskable icon fills its square, and draws only in the circle that every shape leaves', async (t) => {
  const { data, info } = await sharp(pathOf(manifest.icons[3]?.src ?? ''))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): readonly number[] => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)]
  const background = at(0, 0)
  const isDrawn = (x: number, y: number): boolean => at(x, y).some((value, channel) => Math.abs(value - (background[channel] ?? 0)) > 24)
  const middle = info.width / 2
  let [drawn, outside] = [0, 0]
  for (let y = 0; y < info.height; y += 4)
    for (let x = 0; x < info.width; x += 4) {
      if (!isDrawn(x, y)) continue
      drawn++
      if (Math.hypot(x - middle, y - middle) > info.width * 0.4) outside++
    }
  t.ok(drawn > 500, 'there is a drawing')
  t.equal(outside, 0)
})

t.test('its colours are those of the page', async (t) => {
  const critical = readFileSync(join(WEB, 'styles/critical.css'), 'utf8')
  const [dark, light] = [...critical.matchAll(/--bg: (#\w+);/g)].map((match) => match[1])
  t.match(manifest, { background_color: dark, theme_color: dark })
  t.match(shell, `<meta name="theme-color" content="${dark}" media="{{dark}}" data-frame="dark" />`)
  t.match(shell, `<meta name="theme-color" content="${light}" media="{{light}}" data-frame="light" />`)
})
