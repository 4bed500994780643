/** Seeds that have found bugs, with the bugs in the programs of that time; every test run repeats them. */
export const SEEDS: Readonly<Record<number, string>> = {
  14: 'a heartbeat that the bus had doubled was stored twice',
  24: 'the chain of hashes broke where two nodes had stored the same completion of a film',
  154: 'a start that was repeated at another node was given one session more than the limit',
  160: 'a player was answered after it had given up, where leases or messages were lost',
  166: 'a projector that started without its read store left failed reads that nobody handled',
  2108: 'one session more than the limit was given where something else of the account had changed meanwhile',
  41680: 'a session that its node had adopted twice was answered by nobody any more',
}
