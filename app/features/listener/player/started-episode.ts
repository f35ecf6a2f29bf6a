import { queryProcedure } from '~/app/lib/procedures';
import type { PageBrand } from '~/server/domain/creators/rules';
import { listenSession } from './player-storage';
import { isPromo, type Track } from './state';

/** The answer of `listening.start`. */
export type StartedEpisode = {
  episode: Track & { description: string };
  ticket: string;
  hasAccount: boolean;
  position: { seconds: number; at: string } | null;
  peaks: string | null;
  chapters: string | null;
  transcript: string | null;
  brand: PageBrand | null;
};

let started: { id: number; answer: Promise<StartedEpisode> } | null = null;

/** The server's details of a played episode, fetched once per episode. @throws as queryProcedure, and for a promo */
export function startedEpisode(id: number): Promise<StartedEpisode> {
  if (isPromo(id)) return Promise.reject(new TypeError('a promo has no details'));
  if (started?.id !== id) {
    const answer = queryProcedure<StartedEpisode>('listening.start', { id, session: listenSession() });
    started = { id, answer };
    answer.catch(() => {
      if (started?.answer === answer) started = null;
    });
  }
  return started.answer;
}

/** Forgets the answer, because its ticket has expired, so that the next call fetches another. */
export function forgetStarted(): void {
  started = null;
}
