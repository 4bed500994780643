/**
 * Builds tap with the plugins of `.taprc`, if it was built with others. tap would do that itself, but would run the first tests with the
 * previous plugins.
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

/** Does nothing if tap is up to date. @throws Error `tap build` failed */
export function buildTap(): void {
  const leftOut = [...readFileSync(join(root, '.taprc'), 'utf8').matchAll(/^\s*- "!(.+)"$/gm)].flatMap(([, plugin]) => plugin ?? [])
  if (isBuiltWithout(leftOut)) return
  const { status } = spawnSync('tap', ['build'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`tap build ended with exit code ${status}: run npm ci again`)
}
