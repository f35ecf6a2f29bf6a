/** The form field of a scope. */
export const scopeField = (scope: string): string => `scope.${scope}`;

/** The scopes that the person has left ticked. */
export function tickedScopes(values: Record<string, string>): string[] {
  const fields = Object.entries(values).filter(([name, value]) => name.startsWith('scope.') && value === 'on');
  return fields.map(([name]) => name.slice('scope.'.length));
}
