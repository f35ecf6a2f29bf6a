import type { ZodObject, z } from 'zod';
import type { Translate } from '~/locales/translate';

/** The first error message of each invalid field. */
export type FieldErrors = Record<string, string>;
export type FormValues = Record<string, string>;

/**
 * Converts form values to a procedure's input. A blank optional field clears a text, sets `null` where the schema
 * allows it, and is otherwise omitted. A blank upload key keeps the old file. The procedure validates the rest.
 */
export function toInput<S extends ZodObject>(schema: S, values: FormValues, required: readonly string[]): z.input<S> {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const field = Object.hasOwn(schema.shape, name) && schema.shape[name];
    if (!field) return [];
    if (value.trim() !== '' || required.includes(name)) return [[name, value]];
    if (name.endsWith('Key')) return [];
    if (field.safeParse('').success) return [[name, '']];
    return field.safeParse(null).success ? [[name, null]] : [];
  });
  return Object.fromEntries(entries) as z.input<S>;
}

/**
 * Validates a form with the schema of its procedure, so that the browser shows the server's errors at once.
 * @param t translates the namespace `errors`, whose keys are the schemas' messages
 */
export function checkForm(
  schema: ZodObject,
  values: FormValues,
  required: readonly string[],
  t: Translate,
): FieldErrors {
  const result = schema.safeParse(toInput(schema, values, required));
  const errors: FieldErrors = {};
  for (const issue of result.error?.issues ?? []) {
    const field = String(issue.path[0] ?? 'form');
    if (errors[field]) continue;
    const bounds = {
      ...('maximum' in issue && { max: Number(issue.maximum) }),
      ...('minimum' in issue && { min: Number(issue.minimum) }),
    };
    errors[field] = t(/^[a-z_]+\.[a-z_.]+$/.test(issue.message) ? issue.message : 'field.invalid', bounds);
  }
  return errors;
}
