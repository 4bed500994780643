/** Builds a process's name among the others: the machine's name, and a random part for each start. */
import { hostname } from 'node:os'
import type { Ids } from '../ports/ids.ts'

const OWN_LENGTH = 8

/** Letters, digits and dashes: it is part of bus subjects. */
export const nodeName = (ids: Ids): string =>
  `${hostname().replace(/[^A-Za-z0-9-]/g, '') || 'node'}-${ids.next().slice(-OWN_LENGTH).replace(/_/g, '-')}`
