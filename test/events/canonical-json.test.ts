import t from 'tap'
import { canonicalJson } from '../../src/events/canonical-json.ts'
import type { JsonObject } from '../../src/events/envelope.ts'
import { createRandom } from '../fixtures/random.ts'

/** A double by its bits, as appendix B of RFC 8785 writes them. */
const double = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE()

t.test('the sample of RFC 8785, section 3.2.2, comes out as it prints it', async (t) => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`
  t.equal(
    canonicalJson(JSON.parse(input)),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  )
})

t.test('members are sorted by UTF-16 code units, as RFC 8785, section 3.2.3, shows', async (t) => {
  const members = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  t.strictSame(
    [...canonicalJson(members).matchAll(/:"([^"]+)"/g)].map(([, name]) => name),
    [
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ],
  )
})

t.test('numbers are printed as in appendix B of RFC 8785', async (t) => {
  const samples = {
    '0000000000000000': '0',
    '8000000000000000': '0',
    '0000000000000001': '5e-324',
    '8000000000000001': '-5e-324',
    '7fefffffffffffff': '1.7976931348623157e+308',
    '4340000000000000': '9007199254740992',
    '4430000000000000': '295147905179352830000',
    '44b52d02c7e14af5': '9.999999999999997e+22',
    '44b52d02c7e14af6': '1e+23',
    '44b52d02c7e14af7': '1.0000000000000001e+23',
    '444b1ae4d6e2ef4e': '999999999999999700000',
    '444b1ae4d6e2ef50': '1e+21',
    '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
    '3eb0c6f7a0b5ed8d': '0.000001',
    '41b3de4355555554': '333333333.33333325',
    becbf647612f3696: '-0.0000033333333333333333',
    '43143ff3c1cb0959': '1424953923781206.2',
  }
  for (const [bits, text] of Object.entries(samples)) t.equal(canonicalJson(double(bits)), text, bits)
})

t.test('order of members and white space make no difference, order in lists does', async (t) => {
  t.equal(canonicalJson({ b: { d: 1, c: [] }, a: '' }), '{"a":"","b":{"c":[],"d":1}}')
  t.equal(canonicalJson({ a: '', b: { c: [], d: 1 } }), '{"a":"","b":{"c":[],"d":1}}')
  t.not(canonicalJson([1, 2]), canonicalJson([2, 1]))
})

t.test('whatever the members are called and hold, the text is that of the definition', async (t) => {
  const random = createRandom(6)
  const texts = [
    '',
    'plain',
    '1',
    '10',
    '2',
    '__proto__',
    'toString',
    '"',
    '\\',
    '\u007f',
    '\u0000',
    'ö',
    '\ud800',
    '\u{1F37F}',
    '\ufb33',
    ' ~',
  ]
  const values = [null, true, -0, 5e-7, 1e21, -3, 'plain', ...texts, [1, 'a', []]]
  const wrong: string[] = []
  for (let round = 0; round < 2_000; round++) {
    const count = random.pick([0, 1, 5, 23, 24, 25, 60])
    const members = Array.from({ length: count }, () => [random.pick(texts) + random.pick(texts) + random.below(30), random.pick(values)])
    const value = JSON.parse(
      `{${members.map(([name, held]) => `${JSON.stringify(name)}:${JSON.stringify(held)}`).join(',')}}`,
    ) as JsonObject
    if (canonicalJson(value) !== byDefinition(value)) wrong.push(JSON.stringify(value))
  }
  t.strictSame(wrong, [])
})

/** Of members that are no objects themselves. */
function byDefinition(value: JsonObject): string {
  const units = (text: string) => Array.from({ length: text.length }, (_, n) => text.charCodeAt(n).toString(16).padStart(4, '0')).join('')
  const names = Object.keys(value).toSorted((a, b) => (units(a) < units(b) ? -1 : 1))
  return `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value[name])}`).join(',')}}`
}
