import type { ZodType } from 'zod';
import { describeProblem } from '~/server/base/problems';

/** The first error key of each field that a schema rejects; empty if it accepts the input. */
export function fieldErrors(schema: ZodType, input: unknown): Record<string, string> {
  const result = schema.safeParse(input);
  if (result.success) return {};
  const { fields } = describeProblem(result.error);
  return Object.fromEntries(Object.entries(fields).map(([field, messages]) => [field, messages[0]!.key]));
}
