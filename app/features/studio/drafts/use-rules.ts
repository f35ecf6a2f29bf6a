import { useRef } from 'react';
import type { ZodObject } from 'zod';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { Translate } from '~/locales/translate';

/**
 * What the server requires of a form. `errorsOf`: errors of fields that have other names in the schema. The rules need
 * zod, so they load when the user begins to use the form.
 */
export type FormRules = { schema?: ZodObject; errorsOf?: (values: FormValues, t: Translate) => FieldErrors };
export type LoadRules = () => Promise<FormRules>;

/** Loads the rules of a form once. Without a connection there are none: the server checks the form anyway. */
export function useRules(load: LoadRules) {
  const found = useRef<FormRules | null>(null);
  const loading = useRef<Promise<void> | null>(null);
  return {
    /** Null until they are loaded. */
    current: () => found.current,
    load(): Promise<void> {
      loading.current ??= load()
        .catch(() => ({}))
        .then((rules) => {
          found.current = rules;
        });
      return loading.current;
    },
  };
}
