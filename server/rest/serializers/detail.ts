import { z } from 'zod';
import { serializer } from '../call';

/** A response with a sentence only. */
export const detail = (key: string) =>
  serializer('Detail', z.strictObject({ detail: z.string() }), (_: unknown, ctx) => ({ detail: ctx.translate(key) }));
