/**
 * Builds tap with the plugins that `.taprc` leaves it, where it is built otherwise. Run before `npm test`: tap would do it by
 * itself, but runs that first time's tests with the plugins that it had before.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'node_modules/@tapjs/test/test-built/dist/esm/index.js')

function isBuiltWithout(plugins: readonly string[]): boolean {
  if (!existsSync(built)) return false
  const signature = /export const signature = `([^`]*)`/.exec(readFileSync(built, 'utf8'))?.[1]?.split('\n')
  return signature !== undefined && !plugins.some((plugin) => signature.includes(plugin))
}

const leftOut = [...readFileSync(join(root, '.taprc'), 'utf8').matchAll(/^\s*- "!(.+)"$/gm)].flatMap(([, plugin]) => plugin ?? [])
if (!isBuiltWithout(leftOut)) process.exitCode = spawnSync('tap', ['build'], { cwd: root, stdio: 'inherit' }).status ?? 1
