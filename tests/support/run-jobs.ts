import { settleAudio } from '~/server/domain/episodes/audio-check';
import { fetchAudio as fetchFile } from '~/server/domain/episodes/fetch-audio';
import { checkAudio, fetchAudio } from '~/server/queue/jobs/episodes';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';

/** Runs the queued jobs of a name, like the worker. @returns their number */
export async function runJobs(
  runtime: Runtime,
  name: string,
  work: (payload: never, ctx: ReturnType<typeof systemCtx>) => Promise<unknown>,
): Promise<number> {
  const jobs = await runtime.queue.boss.fetch(name, { batchSize: 100 });
  for (const { id, data } of jobs ?? []) {
    await work(data as never, systemCtx(runtime, name));
    await runtime.queue.boss.complete(name, id);
  }
  return jobs?.length ?? 0;
}

/** Checks the audio of every new episode. */
export const checkNewAudio = (runtime: Runtime) =>
  runJobs(runtime, checkAudio.name, ({ episodeId }: { episodeId: number }, ctx) => settleAudio(ctx, episodeId));

/** Fetches audio from other hosts, as far as there are places. @returns the number of jobs */
export const fetchNewAudio = (runtime: Runtime) =>
  runJobs(runtime, fetchAudio.name, (payload: Parameters<typeof fetchFile>[1], ctx) => fetchFile(ctx, payload));
