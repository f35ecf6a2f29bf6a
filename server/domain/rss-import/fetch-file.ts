import type { FetchRequest } from '../../adapters/feed-fetcher/port';
import type { Ctx } from '../../runtime/ctx';

type FileRequest = Pick<FetchRequest, 'url' | 'maxBytes' | 'accept' | 'signal'>;

/** The content of a small file at another host. @throws fetch.* */
export async function fetchFile(ctx: Ctx, request: FileRequest): Promise<Buffer> {
  const fetched = await ctx.ports.fetcher.fetch(request);
  if (fetched.unchanged) throw new Error('a fetch without validators has no unchanged response');
  return fetched.bytes;
}
