import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { DAYS, earlier, utcDay } from '../base/time';
import { saveHistory } from '../domain/statistics/import-history';
import { listImportedSources } from '../domain/statistics/imported-sources';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { upload } from './actions';
import type { DemoPerson } from './demo-types';

const CREATOR = 'lucia@altavoz.example';
const SHOW = 'postales-sonoras';
/** The former host's figures end when the show has moved here; its redirect brings some for a few days. */
const SINCE_DAYS = 150;
const MOVED_DAYS = 24;
const LAST_DAYS = 18;
/** An episode on Mondays, and few plays at weekends. */
const OF_WEEKDAYS = [31, 64, 52, 41, 37, 33, 22];

/** The statistics of a former host, imported for one show. */
export async function seedImportedHistory(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === CREATOR);
  const [show] = await runtime.db.select().from(products).where(eq(products.slug, SHOW));
  if (!person || !show) return;
  const ctx = await actAs(runtime, person);
  if ((await listImportedSources(ctx, show)).length > 0) return;
  const lines = Array.from({ length: SINCE_DAYS - LAST_DAYS }, (_, i) => {
    const daysAgo = SINCE_DAYS - i;
    const at = earlier(runtime.now(), DAYS(daysAgo));
    const grown = 1 + (SINCE_DAYS - daysAgo) / SINCE_DAYS;
    const left = daysAgo > MOVED_DAYS ? 1 : (daysAgo - LAST_DAYS) / (MOVED_DAYS - LAST_DAYS + 1);
    const plays = Math.round((OF_WEEKDAYS[at.getUTCDay()]! + ((i * 7) % 11)) * grown * left);
    return `${utcDay(at)},${plays}`;
  });
  const bytes = Buffer.from(`Date,Downloads\n${lines.join('\n')}\n`);
  const file = { purpose: 'statistics' as const, name: 'downloads-by-day.csv', type: 'text/csv' };
  const statisticsKey = await upload(ctx, { ...file, bytes });
  await saveHistory(ctx, { id: show.id, kind: show.kind, statisticsKey, host: 'libsyn' });
}
