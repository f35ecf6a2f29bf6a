import { runImport as run } from '~/server/domain/rss-import/importing';
import { recoverImports as recover } from '~/server/domain/rss-import/recovering';
import { sweepImports as sweep } from '~/server/domain/rss-import/sweeping';
import { recoverImports, runImport, sweepImports } from '../catalog';
import { handle } from './handle';

export const rssImportHandlers = [
  handle(runImport, (payload, ctx) => run(ctx, payload)),
  handle(recoverImports, (_, ctx) => recover(ctx)),
  handle(sweepImports, (_, ctx) => sweep(ctx)),
];
