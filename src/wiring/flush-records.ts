/** Stores refusals and accesses that were only counted so far, before the log is closed, so that a stop loses none. */
import type { Services } from './services.ts'

export async function flushRecords({ accessRecords, signIns }: Pick<Services, 'accessRecords' | 'signIns'>): Promise<void> {
  await Promise.all([accessRecords.flush(), signIns.flushRefusals()])
}
