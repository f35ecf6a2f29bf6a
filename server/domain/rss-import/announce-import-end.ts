import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { AppError } from '../../base/errors';
import { IMPORT_PATH, languagePrefix } from '../../base/public-paths';
import type { TxCtx } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import { countItems } from './queries';
import { isHostLoss } from './rules';
import { type ImportRow, toImportView } from './views';

/**
 * Tells the user who requested an import how it has ended, in the transaction that ends it. `failure`: the reason of a
 * failure.
 */
export async function announceEnd(tx: TxCtx, row: ImportRow, failure: AppError | null): Promise<void> {
  const user = await findUser(tx, row.userId);
  const language = user.language ?? DEFAULT_LANGUAGE;
  const url = tx.urls.app(`${languagePrefix(language)}${IMPORT_PATH}`);
  const show = row.preview.title;
  if (failure) {
    const reason = tx.translate(`errors:${failure.code}`, failure.params, language);
    return queueAccountEmail(tx, user, { topic: 'import_failed', url, show, reason });
  }
  const { imported, updated, skipped, failed, incomplete } = toImportView(
    row,
    await countItems(tx, row.id),
    tx.now(),
  ).progress;
  const created = { imported: `${imported}`, updated: `${updated}` };
  const counts = { ...created, skipped: `${skipped}`, failed: `${failed}`, incomplete: `${incomplete}` };
  const isPartial = skipped + failed + incomplete > 0 || row.preview.losses.some(isHostLoss);
  const topic = isPartial ? 'import_partly_done' : 'import_done';
  await queueAccountEmail(tx, user, { topic, url, show, ...counts });
}
