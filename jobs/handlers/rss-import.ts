import { runImport as run } from '~/server/domain/rss-import/import-feed';
import { pollOldFeed as poll } from '~/server/domain/rss-import/poll-old-feed';
import { recoverImports as recover } from '~/server/domain/rss-import/recover-imports';
import { sweepImports as sweep } from '~/server/domain/rss-import/sweep-imports';
import { sweepShowPreviews as sweepPreviews } from '~/server/domain/rss-import/sweep-show-previews';
import {
  pollOldFeed,
  recoverImports,
  runImport,
  sweepImports,
  sweepShowPreviews,
} from '~/server/queue/jobs/rss-import';
import { handle } from './handle';

export const rssImportHandlers = [
  handle(runImport, (payload, ctx) => run(ctx, payload)),
  handle(pollOldFeed, (payload, ctx) => poll(ctx, payload)),
  handle(recoverImports, (_, ctx) => recover(ctx)),
  handle(sweepImports, (_, ctx) => sweep(ctx)),
  handle(sweepShowPreviews, (_, ctx) => sweepPreviews(ctx)),
];
