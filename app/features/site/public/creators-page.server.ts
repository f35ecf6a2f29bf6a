import { data } from '@remix-run/node';
import { type Door, isData, page } from '~/app/lib/doors.server';
import { domainOf, toCreatorCard } from './page-data.server';

/** Creates the loader of a creator's page. Missing pages show their error below the creator's own header. */
export function creatorsPage<Result>(load: (door: Door) => Promise<Result> | Result) {
  return page<Result>(async (door) => {
    try {
      return await load(door);
    } catch (error) {
      if (isTakenDown(door, error)) throw (await ofCreator(door, 451)) ?? data(null, { status: 451 });
      throw (isMissing(door, error) && (await ofCreator(door, 404))) || error;
    }
  });
}

/** Whether the loader threw `notFound()` or a procedure reports a 404. */
function isMissing({ context }: Door, error: unknown): boolean {
  if (error instanceof Response) return false;
  if (isData(error)) return true;
  return context.describeError(error).status === 404;
}

function isTakenDown({ context }: Door, error: unknown): boolean {
  if (error instanceof Response || isData(error)) return false;
  return context.describeError(error).code === 'page.taken_down';
}

/** The creator whom the path names, or who owns the host: for `/nope`, the route's handle names no creator. */
async function ofCreator({ api, context, params }: Door, status: number) {
  const domain = domainOf(context, params.handle) ?? domainOf(context, undefined);
  if (domain === null) return null;
  const lookUp = (name: string) => api.pages.creator({ domain: name }).catch(() => null);
  const found = await lookUp(domain);
  const current = found?.moved ? await lookUp(found.moved.domain) : found;
  return current && !current.moved ? data({ creator: toCreatorCard(current.creator) }, { status }) : null;
}
