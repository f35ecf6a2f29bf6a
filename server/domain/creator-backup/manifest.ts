import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import type { Ctx } from '../../runtime/ctx';
import { entriesInOrder, missingFiles } from './queries';
import { FORMAT, VERSION } from './rules';
import type { BackupRow } from './views';

/**
 * `manifest.json`, the last entry: it describes the backup, and lists the checksums of all other entries. Each entry
 * has one line, so the file is written without holding all entries in memory.
 */
export async function* manifestOf(ctx: Pick<Ctx, 'db' | 'urls'>, row: BackupRow): AsyncGenerator<string, void> {
  const { id, name, domain } = creators;
  const [creator] = await ctx.db.select({ id, name, domain }).from(creators).where(eq(creators.id, row.creatorId));
  const head = {
    format: FORMAT,
    version: VERSION,
    archive: row.id,
    installation: ctx.urls.app('/'),
    createdAt: row.requestedAt.toISOString(),
    creator,
    missing: await missingFiles(ctx, row.id),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"entries":`;
  let before = '[\n';
  for await (const { name: file, storageKey, bytes, sha256, rows } of entriesInOrder(ctx, row.id)) {
    const facts = { name: file, bytes, sha256, ...(storageKey ? { key: storageKey } : {}), ...(rows ? { rows } : {}) };
    yield before + JSON.stringify(facts);
    before = ',\n';
  }
  yield '\n]}\n';
}
