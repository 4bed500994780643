/** To be built. */
import { say } from '../words/words.ts'

export function Page() {
  return <h1 tabIndex={-1}>{say('page.search')}</h1>
}
