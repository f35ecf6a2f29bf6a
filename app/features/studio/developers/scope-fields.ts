import { API_RESOURCES, type ApiResource } from '~/db/values/api-scopes';

/** The name of the field that says what a key may do with a kind of thing. */
export const scopeField = (resource: ApiResource): string => `scope-${resource}`;

/** The scopes that a form has chosen; the room checks them. */
export function chosenScopes(values: Record<string, string>): string[] {
  return API_RESOURCES.flatMap((resource) => {
    const chosen = values[scopeField(resource)] ?? 'none';
    return chosen === 'none' ? [] : [`${resource}:${chosen}`];
  });
}
