import { randomUUID } from 'node:crypto';
import { suggestionRuns } from '~/db/schema/suggestions';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';
import type { makers } from './make';

type Rows = Record<string, [rule: Rule, input: () => Promise<Input> | Input][]>;
type Stage = {
  runtime: Runtime;
  show: { id: number; creatorId: number };
  make: Pick<ReturnType<typeof makers>, 'episodes'>;
};

/** The rows of the authorization matrix about what a language model suggests. */
export function suggestionRows({ runtime, show, make }: Stage) {
  const episode = async () => {
    const [row] = await make.episodes(show, 1, () => ({ slug: randomUUID() }));
    return { id: row!.id };
  };
  const suggested = async () => {
    const { id } = await episode();
    const now = runtime.now();
    const title = { text: 'The sea', passages: [{ quote: 'this is the sea', startMs: 0 }] };
    const [run] = await runtime.db
      .insert(suggestionRuns)
      .values({
        ...{ creatorId: show.creatorId, episodeId: id, status: 'done', day: '2026-03-01' },
        ...{ transcriptAt: now, startedAt: now, result: { title, notes: null, chapters: [] } },
      })
      .returning({ runId: suggestionRuns.id });
    return { id, runId: run!.runId, part: 'title' };
  };
  return {
    'suggestions.state': [['owner', episode]],
    // it has no transcript
    'suggestions.start': [['refusedWriters', episode]],
    'suggestions.take': [['owner', suggested]],
  } satisfies Rows;
}
