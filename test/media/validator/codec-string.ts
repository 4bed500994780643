/** Derives codec strings from configuration boxes (RFC 6381; ISO 14496-15, annex E; the AV1 and VP9 bindings). */
import { boxes, need, type Box } from './boxes.ts'

const VISUAL_BYTES = 78
const SOUND_BYTES = 28
const hex = (value: number, digits = 2): string => value.toString(16).padStart(digits, '0')
const decimal = (value: number): string => String(value).padStart(2, '0')

export function codecString({ type, body }: Box): string {
  const config = (name: string): Buffer => need(body.subarray(VISUAL_BYTES), name)
  if (type === 'avc1' || type === 'avc3') return `${type}.${config('avcC').toString('hex', 1, 4)}`
  if (type === 'hvc1' || type === 'hev1') return `${type}.${hevc(config('hvcC'))}`
  if (type === 'av01') return `av01.${av1(config('av1C'))}`
  if (type === 'vp09') return `vp09.${vp9(config('vpcC'))}`
  if (type === 'mp4a') return `mp4a.${objectType(need(body.subarray(SOUND_BYTES), 'esds'))}`
  // These have no profiles in their names, but their configuration box must exist.
  const inside = boxes(body, SOUND_BYTES).map((box) => box.type)
  const wanted = { 'ac-3': 'dac3', 'ec-3': 'dec3', Opus: 'dOps', fLaC: 'dfLa' }[type]
  if (wanted === undefined || !inside.includes(wanted)) throw new Error(`A sample entry ${type} with ${inside.join()}`)
  return type
}

function hevc(hvcC: Buffer): string {
  const first = hvcC[1] ?? 0
  const space = ['', 'A', 'B', 'C'][first >> 6] ?? ''
  let flags = 0
  for (let bit = 0; bit < 32; bit++) if (hvcC.readUInt32BE(2) & ((2 ** bit) | 0)) flags += 2 ** (31 - bit)
  const constraints = [...hvcC.subarray(6, 12)]
  while (constraints.at(-1) === 0) constraints.pop()
  const tier = first & 0x20 ? 'H' : 'L'
  return [
    `${space}${first & 31}`,
    flags.toString(16).toUpperCase(),
    `${tier}${hvcC[12]}`,
    ...constraints.map((one) => hex(one, 1).toUpperCase()),
  ].join('.')
}

function av1(av1C: Buffer): string {
  const [second = 0, third = 0] = av1C.subarray(1)
  const depth = third & 0x40 ? (third & 0x20 ? 12 : 10) : 8
  return `${second >> 5}.${decimal(second & 31)}${third & 0x80 ? 'H' : 'M'}.${decimal(depth)}`
}

/** All eight fields, as in the VP9 binding to MP4. */
function vp9(vpcC: Buffer): string {
  const [profile = 0, level = 0, packed = 0, ...colours] = vpcC.subarray(4, 10)
  return [profile, level, packed >> 4, (packed >> 1) & 7, ...colours, packed & 1].map(decimal).join('.')
}

/** Object type of the decoder; for MPEG-4 audio followed by the audio object type. */
function objectType(esds: Buffer): string {
  const { object, specific } = decoderOf(esds)
  if (object !== 0x40) return hex(object)
  const [first = 0, second = 0] = specific
  const type = first >> 3
  return `40.${type === 31 ? 32 + (((first & 7) << 3) | (second >> 5)) : type}`
}

function decoderOf(esds: Buffer): { readonly object: number; readonly specific: Buffer } {
  const decoder = payload(esds, payload(esds, 4, 3) + 3, 4)
  const object = esds[decoder] ?? 0
  return { object, specific: object === 0x40 ? esds.subarray(payload(esds, decoder + 13, 5)) : Buffer.alloc(0) }
}

const AC3_CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5]

/** From the configuration: the sample entry itself always has 2, as ISO 14496-14 requires. */
export function channelsOf({ type, body }: Box): number {
  const inside = (name: string): Buffer => need(body.subarray(SOUND_BYTES), name)
  const ac3 = (bits: number, acmod: number, lfe: number) => (AC3_CHANNELS[(bits >> acmod) & 7] ?? 0) + ((bits >> lfe) & 1)
  if (type === 'ac-3') return ac3(inside('dac3').readUIntBE(0, 3), 11, 10)
  if (type === 'ec-3') return ac3(inside('dec3').readUIntBE(2, 3), 9, 8)
  if (type !== 'mp4a') return body.readUInt16BE(16)
  const { specific } = decoderOf(inside('esds'))
  const configuration = (specific.readUInt16BE(0) >> 3) & 15
  return configuration === 7 ? 8 : configuration
}

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]

/** Sample rate of an AAC stream before SBR. */
export function coreRateOf({ body }: Box): number {
  const { specific } = decoderOf(need(body.subarray(SOUND_BYTES), 'esds'))
  return specific.length < 2 ? 0 : (RATES[(specific.readUInt16BE(0) >> 7) & 15] ?? 0)
}

/** Start of a descriptor's payload. */
function payload(bytes: Buffer, at: number, tag: number): number {
  if (bytes[at] !== tag) throw new Error(`Descriptor ${bytes[at]} where ${tag} should be`)
  let after = at + 1
  while ((bytes[after] ?? 0) & 0x80) after++
  return after + 1
}
