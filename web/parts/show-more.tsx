/** Below a list that has more: asks for the next page of it. */
import { say } from '../words/words.ts'

export interface ShowMoreProps {
  /** The infinite query of the list. */
  readonly of: {
    readonly hasNextPage: boolean
    readonly isFetching: boolean
    fetchNextPage(): Promise<unknown>
  }
}

export function ShowMore({ of: { hasNextPage, isFetching, fetchNextPage } }: ShowMoreProps) {
  if (!hasNextPage) return null
  return (
    <button type="button" class="show-more" disabled={isFetching} onClick={() => void fetchNextPage()}>
      {say('history.more')}
    </button>
  )
}
