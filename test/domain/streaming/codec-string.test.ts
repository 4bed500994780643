import t from 'tap'
import { codecString, dolbyVisionString, type ConfigurationType } from '../../../src/domain/streaming/codec-string.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const says = (type: ConfigurationType, hex: string) => codecString(type, bytes(hex))

t.test('H.264 is named by the three bytes that follow the version', async (t) => {
  t.equal(says('avcC', '01 64 00 1f ff e1 00 19'), 'avc1.64001f')
  t.equal(says('avcC', '01 42 c0 0d ff'), 'avc1.42c00d')
  t.equal(says('avcC', '01 4d 40 28'), 'avc1.4d4028')
})

t.test('HEVC is named as ISO/IEC 14496-15 annex E does', async (t) => {
  t.equal(says('hvcC', '01 01 60000000 900000000000 5d f000 fc fd f8 f8'), 'hvc1.1.6.L93.90', 'Main, its compatibility bits turned around')
  t.equal(says('hvcC', '01 02 20000000 b00000000000 99 f000'), 'hvc1.2.4.L153.B0', 'Main 10')
  t.equal(says('hvcC', '01 22 20000000 900000000000 99'), 'hvc1.2.4.H153.90', 'high tier')
  t.equal(says('hvcC', '01 41 80000000 000000000000 b4'), 'hvc1.A1.1.L180', 'no constraints, another profile space')
  t.equal(says('hvcC', '01 04 08000000 9d0800000000 78'), 'hvc1.4.10.L120.9D.8', 'range extensions')
})

t.test('AV1 levels have two digits', async (t) => {
  t.equal(says('av1C', '81 04 0c 00'), 'av01.0.04M.08')
  t.equal(says('av1C', '81 08 4c 00'), 'av01.0.08M.10')
  t.equal(says('av1C', '81 4d e0 00'), 'av01.2.13H.12')
})

t.test('VP9 is named with its colour', async (t) => {
  t.equal(says('vpcC', '01000000 00 0a 82 01 01 01 0000'), 'vp09.00.10.08.01.01.01.01.00')
  t.equal(says('vpcC', '01000000 02 33 a2 09 10 09 0000'), 'vp09.02.51.10.01.09.16.09.00')
})

t.test('AAC is named by its object type', async (t) => {
  t.equal(says('asc', '11 90'), 'mp4a.40.2')
  t.equal(says('asc', '2b 92 08 00'), 'mp4a.40.5', 'HE-AAC, said openly')
  t.equal(says('asc', 'eb 09 88'), 'mp4a.40.29')
  t.equal(says('asc', 'f9 48 40'), 'mp4a.40.42', 'escaped')
})

t.test('sound in an esds box has the name of its object, not of its box', async (t) => {
  const aac = '00000000 03 80808022 0002 00 04 80808014 40 15 000000 0001f400 0001f400 05 80808002 1190 06 80808001 02'
  t.equal(says('esds', aac), 'mp4a.40.2')
  t.equal(says('esds', '00000000 03 19 0002 00 04 11 40 15 000000 0001f400 0001f400 05 02 1210 06 01 02'), 'mp4a.40.2', 'short lengths')
  t.equal(says('esds', '00000000 03 15 0002 00 04 0d 6b 15 000000 0001f400 0001f400 06 01 02'), 'mp4a.6B', 'MP3')
  t.equal(says('esds', '00000000 03 1e 0002 e0 0001 02 6162 0003 04 11 40 15 000000 00000000 00000000 05 02 1210'), 'mp4a.40.2', 'flags')
})

t.test('E-AC-3 is never called mp4a.a6', async (t) => {
  t.equal(says('dec3', '0c 00 20 0f 00'), 'ec-3')
  t.equal(says('dac3', '10 3d c0'), 'ac-3')
  t.equal(says('dOps', '00 02 01 38 0000bb80 0000 00'), 'Opus')
  t.equal(says('dfLa', '00000000 80 000022'), 'fLaC')
})

t.test('Dolby Vision is named by profile and level', async (t) => {
  t.equal(dolbyVisionString({ profile: 5, level: 6 }, 'hvc1'), 'dvh1.05.06')
  t.equal(dolbyVisionString({ profile: 8, level: 13 }, 'hvc1'), 'dvh1.08.13')
  t.equal(dolbyVisionString({ profile: 9, level: 4 }, 'avc1'), 'dva1.09.04')
})

t.test('what is cut off or damaged has no name', async (t) => {
  for (const type of ['avcC', 'hvcC', 'av1C', 'vpcC', 'esds', 'asc'] as const) {
    for (const hex of ['', '00', '01', 'ff ff ff', '01 64 00'.slice(0, 5)])
      t.equal(says(type, hex), type === 'asc' && hex === 'ff ff ff' ? 'mp4a.40.95' : null, `${type} ${hex}`)
  }
  t.equal(says('esds', '00000000 03 ffffffffff'), null)
  t.equal(says('esds', '00000000 03 19 0002 00 04 11 40'), null)
})
