import { queryProcedure } from '~/app/lib/procedures';
import type { PageBrand } from '~/server/domain/creators/rules';
import { setParts } from './episode-position';
import type { HeardParts } from './heard-parts';
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
  timeline: string | null;
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

/**
 * Tells the player which parts of what plays are the episode. The server knows what this listener hears once the audio
 * was requested, so the element has to be loading already.
 */
export async function loadParts(id: number): Promise<void> {
  const { timeline } = await startedEpisode(id);
  const answer = timeline === null ? null : await fetch(timeline, { cache: 'no-store' });
  if (answer?.ok) setParts(id, (await answer.json()) as NonNullable<HeardParts>);
}

/** Forgets the answer, because its ticket has expired, so that the next call fetches another. */
export function forgetStarted(): void {
  started = null;
}
