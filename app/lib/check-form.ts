import type { ZodObject } from 'zod';
import type { Translate } from './i18n';

/** The first sentence of each field that can't be sent as it stands. */
export type Faults = Record<string, string>;
export type FormValues = Record<string, string>;

/** What a door makes of text fields: a blank one that need not be filled in is none at all. */
function withoutBlanks(schema: ZodObject, values: FormValues, required: readonly string[]): Record<string, unknown> {
  const sent = Object.entries(values).flatMap(([name, value]) => {
    if (value.trim() !== '' || required.includes(name)) return [[name, value]];
    return schema.shape[name]?.safeParse(null).success ? [[name, null]] : [];
  });
  return Object.fromEntries(sent);
}

/**
 * Holds a form against the schema of its procedure, so that the browser says at once what the server would.
 * @param t reads the namespace `errors`, whose keys are the schemas' messages
 */
export function checkForm(schema: ZodObject, values: FormValues, required: readonly string[], t: Translate): Faults {
  const result = schema.safeParse(withoutBlanks(schema, values, required));
  const faults: Faults = {};
  for (const issue of result.error?.issues ?? []) {
    const field = String(issue.path[0] ?? 'form');
    if (faults[field]) continue;
    const bounds = { ...('maximum' in issue && { max: Number(issue.maximum) }), ...('minimum' in issue && { min: Number(issue.minimum) }) };
    faults[field] = t(/^[a-z_]+\.[a-z_.]+$/.test(issue.message) ? issue.message : 'field.invalid', bounds);
  }
  return faults;
}
