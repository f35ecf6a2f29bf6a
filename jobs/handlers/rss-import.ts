import { runImport as run } from '~/server/domain/rss-import/importing';
import { pollOldFeed as poll } from '~/server/domain/rss-import/polling';
import { recoverImports as recover } from '~/server/domain/rss-import/recovering';
import { sweepImports as sweep } from '~/server/domain/rss-import/sweeping';
import { pollOldFeed, recoverImports, runImport, sweepImports } from '../catalog';
import { handle } from './handle';

export const rssImportHandlers = [
  handle(runImport, (payload, ctx) => run(ctx, payload)),
  handle(pollOldFeed, (payload, ctx) => poll(ctx, payload)),
  handle(recoverImports, (_, ctx) => recover(ctx)),
  handle(sweepImports, (_, ctx) => sweep(ctx)),
];
