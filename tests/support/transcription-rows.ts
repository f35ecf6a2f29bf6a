import { randomUUID } from 'node:crypto';
import { transcriptionRuns } from '~/db/schema/transcription';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';
import type { makers } from './make';

type Rows = Record<string, [rule: Rule, input: () => Promise<Input> | Input][]>;
type Stage = {
  runtime: Runtime;
  show: { id: number; creatorId: number };
  make: Pick<ReturnType<typeof makers>, 'episodes'>;
};

/** The rows of the authorization matrix about transcription by an engine, at both doors. */
export function transcriptionRows({ runtime, show, make }: Stage) {
  const episode = async () => {
    const [row] = await make.episodes(show, 1, () => ({ slug: randomUUID() }));
    return { id: row!.id };
  };
  const undecided = async () => {
    const { id } = await episode();
    await runtime.db.insert(transcriptionRuns).values({
      ...{ creatorId: show.creatorId, episodeId: id, status: 'waiting', audioKey: 'audio/1/1/a.mp3', minutes: 0 },
      ...{ month: '2026-03-01', startedAt: runtime.now(), aliveAt: runtime.now() },
    });
    return { id, takes: false };
  };
  const procedures = {
    'transcription.state': [['ownReaders', episode]],
    'transcription.credits': [['ownReaders', episode]],
    'transcription.timing': [['ownReaders', episode]],
    'transcription.timeText': [['owner', async () => ({ ...(await episode()), language: 'en', content: 'aGVsbG8=' })]],
    'transcription.start': [['owner', async () => ({ ...(await episode()), language: null })]],
    'transcription.decide': [['owner', undecided]],
  } satisfies Rows;
  const rest = {
    'GET check-transcription-credits/': [['owner', async () => ({ episode_id: (await episode()).id })]],
    'POST create-episode-transcript/': [['owner', async () => ({ episode_id: (await episode()).id })]],
  } satisfies Rows;
  return { procedures, rest };
}
