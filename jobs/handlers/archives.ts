import { buildArchive as build } from '~/server/domain/archives/exporting';
import { sweepArchives as sweep } from '~/server/domain/archives/sweeping';
import { buildArchive, sweepArchives } from '../catalog';
import { handle } from './handle';

export const archiveHandlers = [
  handle(buildArchive, (payload, ctx) => build(ctx, payload)),
  handle(sweepArchives, (_, ctx) => sweep(ctx)),
];
