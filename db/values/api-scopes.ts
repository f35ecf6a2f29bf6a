/** What the API v1 has, and whether it can be changed there. */
const RESOURCES = {
  shows: 'write',
  episodes: 'write',
  subscribers: 'write',
  contacts: 'write',
  editions: 'write',
  coupons: 'write',
  money: 'read',
  statistics: 'read',
  imports: 'write',
  insertions: 'write',
  webhooks: 'write',
} as const;

export type ApiResource = keyof typeof RESOURCES;
type Writable = { [R in ApiResource]: (typeof RESOURCES)[R] extends 'write' ? R : never }[ApiResource];
export type Scope = `${ApiResource}:read` | `${Writable}:write`;

export const API_RESOURCES = Object.keys(RESOURCES) as ApiResource[];
export const isWritable = (resource: ApiResource): resource is Writable => RESOURCES[resource] === 'write';

/** What a key or an app may be allowed to do. */
export const SCOPES = API_RESOURCES.flatMap((resource): Scope[] =>
  isWritable(resource) ? [`${resource}:read`, `${resource}:write`] : [`${resource}:read`],
);

/** Whether these scopes include another one. Writing includes reading of the same resource. */
export function allowsScope(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write') as Scope);
}
