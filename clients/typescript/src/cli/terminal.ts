/** What the command line needs from its process, so that tests can stand in for it. */
export type Terminal = {
  fetch: typeof fetch;
  /** The folder of the stored login. */
  folder: string;
  /** The address of the installation, if the environment names one. */
  url: string | undefined;
  /** The key of the API, if the environment has one. It counts instead of the stored login. */
  key: string | undefined;
  print(line: string): void;
  /** A line that the person types or pastes. */
  read(question: string): Promise<string>;
  /** Opens a page in the person's browser. */
  open(url: string): void;
  now(): number;
};

/** A mistake of the person, or a fault of the network, which needs no stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A terminal whose requests fail with a sentence about the host that can't be reached. */
export function withReachedHosts(terminal: Terminal): Terminal {
  return {
    ...terminal,
    async fetch(input, init) {
      try {
        return await terminal.fetch(input, init);
      } catch (error) {
        const { host } = new URL(input instanceof Request ? input.url : input);
        throw new UsageError(`Can’t reach ${host}: ${reasonOf(error)}`);
      }
    },
  };
}

/** `fetch failed` has its reason inside, which may have only a code. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || String(error);
}
