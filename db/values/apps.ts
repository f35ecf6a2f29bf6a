import type { Scope } from './api-scopes';

/** The doors for which an app's token can be: one at the assistant's door opens nothing at the API, and the reverse. */
export const AUDIENCES = ['mcp', 'v1'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const TOKEN_KINDS = ['access', 'refresh'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** The scopes that the tools of the assistant's door use. */
export const MCP_SCOPES = [
  'shows:read',
  'episodes:read',
  'episodes:write',
  'contacts:read',
  'editions:read',
  'editions:write',
  'money:read',
  'statistics:read',
] as const satisfies readonly Scope[];
