/**
 * An Ajv keyword for a folder, or a list of folders without duplicates, inside the media roots. As a keyword, its problems are reported
 * together with the other problems of the body.
 */
import type { Ajv, ErrorObject } from 'ajv'
import { isFolderPath, pathFaults } from '../../domain/libraries/library.ts'

export const FOLDERS_KEYWORD = 'x-marquee-folders'
/** `maxItems` rejects longer lists anyway. */
const LOOKED_AT_MAX = 100

export function addFoldersKeyword(ajv: Ajv, mediaRoots: readonly string[]): void {
  function validate(value: readonly unknown[] | string, context?: { readonly instancePath: string }): boolean {
    const folders = typeof value === 'string' ? [value] : value
    const faults = pathFaults(folders.slice(0, LOOKED_AT_MAX).map(String), mediaRoots)
    // The format has already reported values that are not folder paths.
    const own = faults.filter(({ index }) => typeof folders[index] === 'string' && isFolderPath(folders[index]))
    validate.errors = own.map(({ index, message }) => ({
      keyword: FOLDERS_KEYWORD,
      instancePath: `${context?.instancePath ?? ''}${typeof value === 'string' ? '' : `/${index}`}`,
      message,
    }))
    return own.length === 0
  }
  validate.errors = [] as Partial<ErrorObject>[]
  ajv.addKeyword({ keyword: FOLDERS_KEYWORD, type: ['array', 'string'], schema: false, errors: true, validate })
}
