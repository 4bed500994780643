/** Lists the current settings for administrators, without any secrets. */
import type { FolderPair, GroupAndLibrary, Header } from './values.ts'
import { shown, type Config } from './config.ts'
import { SETTINGS, type Setting } from './settings.ts'

export interface SettingInForce {
  readonly name: string
  /** As one line; null if it is unset or secret. */
  readonly value: string | null
  /** Whether it has a value, including the default. */
  readonly isSet: boolean
  readonly meaning: string
}

export const settingsInForce = (config: Config): readonly SettingInForce[] =>
  Object.entries<Setting<unknown>>(SETTINGS).map(([key, setting]) => {
    const value = config[key as keyof Config]
    const text = value === undefined ? undefined : asText(value)
    return {
      name: setting.name,
      value: (text === undefined ? undefined : shown(setting, text)) ?? null,
      isSet: value !== undefined,
      meaning: setting.meaning,
    }
  })

/** In the format of the setting itself. */
function asText(value: NonNullable<Config[keyof Config]>): string {
  if (typeof value !== 'object') return String(value)
  if ('host' in value) return `${value.host.includes(':') ? `[${value.host}]` : value.host}:${value.port}`
  return value.map((each) => pairText(each)).join(',')
}

const pairText = (each: string | FolderPair | GroupAndLibrary | Header): string => {
  if (typeof each === 'string') return each
  if ('value' in each) return `${each.name}=${encodeURIComponent(each.value)}`
  return 'from' in each ? `${each.from}=${each.to}` : `${each.group}=${each.library}`
}
