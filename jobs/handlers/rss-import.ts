import { runImport as run } from '~/server/domain/rss-import/importing';
import { recoverImports as recover } from '~/server/domain/rss-import/recovering';
import { recoverImports, runImport } from '../catalog';
import { handle } from './handle';

export const rssImportHandlers = [
  handle(runImport, (payload, ctx) => run(ctx, payload)),
  handle(recoverImports, (_, ctx) => recover(ctx)),
];
