/** An environment variable that is another one for as long as a test runs. */
import type { Test } from 'tap'

export function setVariable(t: Test, name: string, value: string): void {
  const before = process.env[name]
  process.env[name] = value
  t.teardown(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })
}
