/**
 * Pages that the browser keeps in memory and brings back as they were when the person goes back to them: nobody may see one of before a
 * sign-out. Such a page is left hidden, and shown once the server has said that the person is still signed in.
 */
import { answerOf, api } from '../api/client.ts'
import { startLive } from './live.ts'
import { queryClient } from './query-client.ts'
import { forget, isSignedIn } from './who.ts'

const setVisible = (isVisible: boolean): void =>
  void document.documentElement.style.setProperty('visibility', isVisible ? 'visible' : 'hidden')

/** Called once. */
export function hideKeptPages(): void {
  addEventListener('pagehide', ({ persisted }) => persisted && isSignedIn() && setVisible(false))
  addEventListener('pageshow', ({ persisted }) => persisted && isSignedIn() && void comeBack())
}

async function comeBack(): Promise<void> {
  const answer = await answerOf(api.GET('/api/auth/get-session'))
  if (answer.ok && answer.value === null) forget('ended')
  setVisible(true)
  if (!isSignedIn()) return
  void startLive()
  // This page received no events meanwhile.
  await queryClient.invalidateQueries()
}
