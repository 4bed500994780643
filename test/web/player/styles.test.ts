import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const WEB = join(import.meta.dirname, '../../../web')
/** Classes of every page that also apply to the player. */
const SHARED = new Set(['hidden', 'primary', 'soft'])

t.test('no class of the player is one of the pages: their styles would move its controls', (t) => {
  const styles = readdirSync(join(WEB, 'styles')).filter((name) => name.endsWith('.css') && name !== 'player.css')
  const taken = new Set(
    styles.flatMap((name) => [...readFileSync(join(WEB, 'styles', name), 'utf8').matchAll(/\.([a-z][a-z-]*)/g)].map(([, name]) => name)),
  )
  const markup = readdirSync(join(WEB, 'player')).filter((name) => name.endsWith('.tsx'))
  const own = markup.flatMap((name) =>
    [...readFileSync(join(WEB, 'player', name), 'utf8').matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')),
  )
  t.ok(own.includes('controls'))
  t.strictSame(
    [...new Set(own)].filter((name) => taken.has(name) && !SHARED.has(name)),
    [],
  )
  t.end()
})
