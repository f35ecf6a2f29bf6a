/** The HTTP gateway to Podping, which tells podcast apps and indexes that a feed has changed. */
export type Podping = {
  /** @throws an error of the fetcher; of kind `upstream` or `too_many` if a retry may succeed */
  announce(feedUrl: string): Promise<void>;
};
