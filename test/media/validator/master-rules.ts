/** Rules for the master playlist alone. */
import { quotedIn, type Attributes, type MasterText } from './playlist-text.ts'
import { repeated, unless, type Rule } from './rule.ts'

const INTEGER = /^\d+$/
const nameOf = (uri: string): string => uri.split('/')[0] ?? ''
const byText = (a = '', b = ''): number => (a < b ? -1 : Number(a > b))
const listed = (names: ReadonlySet<string | undefined>): string => [...names].toSorted(byText).join()
const ofEach = ({ variants }: MasterText, says: (attributes: Attributes, uri: string) => readonly string[]) =>
  variants.flatMap(({ attributes, uri }) => says(attributes, uri).map((found) => `${nameOf(uri)}: ${found}`))

export const MASTER_RULES: readonly Rule<MasterText>[] = [
  {
    source: 'RFC 8216, 4.3.4.2',
    says: 'a variant has its URI and an integer as BANDWIDTH',
    check: (master) =>
      ofEach(master, (one, uri) => unless(INTEGER.test(one.get('BANDWIDTH') ?? '') && /^[^#]/.test(uri), `${one.get('BANDWIDTH')}`)),
  },
  {
    source: 'Apple 9.14',
    says: 'AVERAGE-BANDWIDTH, no more than BANDWIDTH',
    check: (master) =>
      ofEach(master, (one) => {
        const average = one.get('AVERAGE-BANDWIDTH') ?? ''
        return unless(INTEGER.test(average) && Number(average) <= Number(one.get('BANDWIDTH')), average)
      }),
  },
  {
    source: 'Apple 9.1',
    says: 'CODECS, each once',
    check: (master) =>
      ofEach(master, (one) => {
        const codecs = quotedIn(one, 'CODECS')?.split(',') ?? []
        return unless(codecs.length > 0 && codecs.every((codec) => /^[\w.-]+$/.test(codec)) && repeated(codecs).length === 0, codecs.join())
      }),
  },
  {
    source: 'Apple 9.2, 9.15, 9.16',
    says: 'RESOLUTION, FRAME-RATE with three decimals, and VIDEO-RANGE',
    check: (master) =>
      ofEach(master, (one) => [
        ...unless(/^\d+x\d+$/.test(one.get('RESOLUTION') ?? ''), `RESOLUTION ${one.get('RESOLUTION')}`),
        ...unless(/^\d+(\.\d{1,3})?$/.test(one.get('FRAME-RATE') ?? ''), `FRAME-RATE ${one.get('FRAME-RATE')}`),
        ...unless(['SDR', 'HLG', 'PQ'].includes(one.get('VIDEO-RANGE') ?? ''), `VIDEO-RANGE ${one.get('VIDEO-RANGE')}`),
      ]),
  },
  {
    source: 'RFC 8216, 4.3.4.2',
    says: 'CLOSED-CAPTIONS=NONE in all variants',
    check: (master) => ofEach(master, (one) => unless(one.get('CLOSED-CAPTIONS') === 'NONE', `${one.get('CLOSED-CAPTIONS')}`)),
  },
  {
    source: 'RFC 8216, 4.3.4.2',
    says: 'groups that a variant names are there, and none is there for nothing',
    check: (master) => {
      const named = (type: string) => new Set(master.variants.map(({ attributes }) => quotedIn(attributes, type)).filter(Boolean))
      const there = (type: string) =>
        new Set(master.media.filter((one) => one.get('TYPE') === type).map((one) => quotedIn(one, 'GROUP-ID')))
      return ['AUDIO', 'SUBTITLES'].flatMap((type) =>
        unless(listed(named(type)) === listed(there(type)), `${type}: ${listed(named(type))} and ${listed(there(type))}`),
      )
    },
  },
  {
    source: 'RFC 8216, 4.3.4.1',
    says: 'NAME is unique in its group, and each group has the same names',
    check: ({ media }) => {
      const full = media.map((one) => `${one.get('TYPE')} ${quotedIn(one, 'GROUP-ID')} ${quotedIn(one, 'NAME')}`)
      const groups = Map.groupBy(media, (one) => `${one.get('TYPE')} ${quotedIn(one, 'GROUP-ID')}`)
      const names = [...groups].map(
        ([group, all]) =>
          [
            group.split(' ')[0],
            all
              .map((one) => quotedIn(one, 'NAME'))
              .toSorted(byText)
              .join(),
          ] as const,
      )
      const unlike = names.filter(([type, list]) => names.some(([other, others]) => other === type && others !== list))
      return [...repeated(full), ...unlike.map(([type, list]) => `${type}: ${list}`)]
    },
  },
  {
    source: 'RFC 8216, 4.3.4.1',
    says: 'at most one DEFAULT in a group, which is AUTOSELECT; FORCED is for subtitles',
    check: ({ media }) => {
      const defaults = media.filter((one) => one.get('DEFAULT') === 'YES')
      return [
        ...repeated(defaults.map((one) => `${one.get('TYPE')} ${one.get('GROUP-ID')}`)),
        ...defaults.filter((one) => one.get('AUTOSELECT') !== 'YES').map((one) => `${one.get('NAME')} is not AUTOSELECT`),
        ...media.filter((one) => one.has('FORCED') && one.get('TYPE') !== 'SUBTITLES').map((one) => `${one.get('NAME')} is FORCED`),
      ]
    },
  },
  {
    source: 'Apple 8.10',
    says: 'LANGUAGE on all that is not video, as BCP 47 has it; CHANNELS on audio; a URI of its own',
    check: ({ media }) => [
      ...media
        .filter((one) => !/^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$/.test(quotedIn(one, 'LANGUAGE') ?? ''))
        .map((one) => `LANGUAGE ${one.get('LANGUAGE')}`),
      ...media
        .filter((one) => one.get('TYPE') === 'AUDIO' && !/^\d+/.test(quotedIn(one, 'CHANNELS') ?? ''))
        .map((one) => `CHANNELS ${one.get('CHANNELS')}`),
      ...repeated(media.map((one) => `${quotedIn(one, 'GROUP-ID')} ${quotedIn(one, 'URI')}`)),
    ],
  },
]
