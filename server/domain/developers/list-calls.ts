import { and, count, desc, eq, gt, gte } from 'drizzle-orm';
import { apiCalls, apiKeys } from '~/db/schema/developers';
import type { Page } from '../../base/paging';
import { earlier } from '../../base/time';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import type { ListCalls } from './schema';

type ApiCallRow = typeof apiCalls.$inferSelect;
/** `keyName`: null for an app, and for a key that has been deleted. */
export type CallView = Pick<ApiCallRow, 'id' | 'caller' | 'method' | 'path' | 'status' | 'ms' | 'requestId' | 'at'> & {
  keyName: string | null;
};

/** The statuses of answers to calls that did not succeed. */
const FIRST_FAILURE = 400;

/**
 * A page of the calls of the last week, the latest first. Both queries read only the latest calls by their index: counting
 * hundreds of thousands would take long, and no page shows more of them.
 */
export async function listCalls(ctx: Ctx, { page, onlyFailures = false }: ListCalls): Promise<Page<CallView>> {
  const { id: creatorId } = authorize(ctx, 'creator.manageKeys', currentCreator(ctx));
  const since = earlier(ctx.now(), DEVELOPER_LIMITS.callsKeptFor);
  const { callsKept, callsListed: pageSize } = DEVELOPER_LIMITS;
  const all = latestCalls(ctx, creatorId);
  const shown = onlyFailures ? all : latestCalls(ctx, creatorId, Math.min(page * pageSize, callsKept));
  const failed = (of: typeof all) => (onlyFailures ? gte(of.status, FIRST_FAILURE) : undefined);
  const [rows, [counted], keys] = await Promise.all([
    ctx.db
      .select()
      .from(shown)
      .where(and(gt(shown.at, since), failed(shown)))
      .orderBy(desc(shown.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db
      .select({ total: count() })
      .from(all)
      .where(and(gt(all.at, since), failed(all))),
    ctx.db.select({ id: apiKeys.id, name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.creatorId, creatorId)),
  ]);
  const names = new Map(keys.map(({ id, name }) => [`key:${id}`, name]));
  const items = rows.map(({ creatorId: _, ...call }) => ({ ...call, keyName: names.get(call.caller) ?? null }));
  return { items, total: counted?.total ?? 0, page, pageSize };
}

const latestCalls = ({ db }: Ctx, creatorId: number, limit: number = DEVELOPER_LIMITS.callsKept) =>
  db
    .select()
    .from(apiCalls)
    .where(eq(apiCalls.creatorId, creatorId))
    .orderBy(desc(apiCalls.id))
    .limit(limit)
    .as('latest');
