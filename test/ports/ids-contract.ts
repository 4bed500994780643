/** Tests that all ids must pass (src/ports/ids.ts). */
import type { Test } from 'tap'
import { ID_PATTERN } from '../../src/vocabulary/id.ts'
import type { Ids } from '../../src/ports/ids.ts'

const COUNT = 10_000

export function idsContract(t: Test, ids: Ids): void {
  const drawn = (draw: () => string): readonly string[] => Array.from({ length: COUNT }, draw)
  const check = (t: Test, texts: readonly string[], pattern: RegExp): void => {
    t.strictSame(
      texts.filter((text) => !pattern.test(text)),
      [],
    )
    t.equal(new Set(texts).size, COUNT)
  }

  t.test('identifiers have the shape of identifiers and never repeat', async (t) => {
    check(
      t,
      drawn(() => ids.next()),
      new RegExp(ID_PATTERN),
    )
  })

  t.test('ids of events are UUIDs in lower case and never repeat', async (t) => {
    check(
      t,
      drawn(() => ids.event()),
      /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  t.test('tokens are 43 characters of base64url and never repeat', async (t) => {
    check(
      t,
      drawn(() => ids.token()),
      /^[A-Za-z0-9_-]{43}$/,
    )
  })
}
