import type { z } from 'zod';
import { needsOwnServices, type processShape, requireService } from './process';
import { address } from './setting-types';

export const databaseShape = { DATABASE_URL: address('postgres:', 'postgresql:').optional() };
type Values = z.infer<z.ZodObject<typeof databaseShape & typeof processShape>>;

/** Null: the embedded server. */
export function databaseUrl(values: Values): string | null {
  if (needsOwnServices(values)) requireService('DATABASE_URL', values.DATABASE_URL);
  return values.DATABASE_URL ?? null;
}
