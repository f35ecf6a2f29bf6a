import { and, eq, isNull } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { abuseReports } from '~/db/schema/support';
import type { ReportReason } from '~/db/values/support';
import { AppError } from '../base/errors';
import { DAYS, earlier, HOURS } from '../base/time';
import { takeDown } from '../domain/console/take-down';
import { alreadyReported } from '../domain/support/errors';
import { reportAbuse } from '../domain/support/report-abuse';
import { type Runtime, systemCtx } from '../runtime/runtime';
import type { DemoPerson } from './demo-types';
import { checkEpisode } from './episodes';

const REPORTED_AT = DAYS(3);
const COPIED = 'This is my song. I published it in May: https://rita.example/songs/summer';

/** An episode that was taken down after a report, and a report that waits for an operator. */
export async function seedReports(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const shows = cast.flatMap((person) => person.products);
  for (const show of shows) {
    const copied = show.episodes.find(({ isTakenDown }) => isTakenDown);
    if (!copied) continue;
    const id = await lookupPublic(runtime, { slug: show.slug, name: copied.name });
    if (id !== null) await takeDownReported(runtime, id);
    await reportShow(runtime, show.slug);
  }
}

async function takeDownReported(runtime: Runtime, id: number): Promise<void> {
  // it can be reported once it is public, and a first start may have no worker
  await checkEpisode(systemCtx(runtime, 'demo'), id);
  await sendReport(runtime, { type: 'episode', id }, 'copyright', COPIED).catch(unlessReported);
  const operator = { name: 'demo' };
  const reason = 'A recording of a song of somebody who has not agreed to it.';
  const at = earlier(runtime.now(), REPORTED_AT - HOURS(5));
  const ctx = { ...systemCtx(runtime, 'demo'), now: () => at };
  await takeDown(ctx, { operator, target: 'episode', id, ground: 'law', reason });
}

/** An earlier start may have sent the report. */
function unlessReported(error: unknown): void {
  if (!(error instanceof AppError && error.code === alreadyReported().code)) throw error;
}

/** Null if an earlier start took it down. */
async function lookupPublic({ db }: Runtime, { slug, name }: { slug: string; name: string }): Promise<number | null> {
  const [found] = await db
    .select({ id: episodes.id })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(products.slug, slug), eq(episodes.name, name), isNull(episodes.takenDownAt)));
  return found?.id ?? null;
}

async function reportShow(runtime: Runtime, slug: string): Promise<void> {
  const [found] = await runtime.db
    .select({ domain: creators.domain })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(eq(products.slug, slug));
  if (!found || (await runtime.db.$count(abuseReports, eq(abuseReports.state, 'open'))) > 0) return;
  await sendReport(
    runtime,
    { domain: found.domain, slug },
    'terms',
    'The same tune again and again, with bought downloads.',
  );
}

type Page = Parameters<typeof reportAbuse>[1]['page'];

async function sendReport(runtime: Runtime, page: Page, reason: ReportReason, text: string): Promise<void> {
  const at = earlier(runtime.now(), REPORTED_AT);
  const ctx = { ...systemCtx(runtime, 'demo'), actor: { type: 'visitor' as const }, now: () => at };
  const from = { name: 'Rita Moss', email: 'rita@mail.example' };
  await reportAbuse(ctx, { page, reason, text, ...from, isInGoodFaith: true });
}
