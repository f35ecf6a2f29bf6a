import { createHash } from 'node:crypto';
import { SCOPES, type Scope } from '~/db/values/api-scopes';
import { type Audience, MCP_SCOPES } from '~/db/values/apps';
import { later } from '../../base/time';
import { APP_LIMITS } from '../../limits/apps';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Schemes of native apps. RFC 8252 §7.1 asks for a domain in reverse, which no scheme of a browser is; these editors
 * have shorter ones.
 */
const APP_SCHEMES = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'claude:']);

/**
 * Whether an app may have its people sent to this address: https, http on the person's own machine, or the scheme of a
 * native app. Without a fragment (RFC 6749 §3.1.2) and without a user's name, which could disguise the host.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > APP_LIMITS.redirectUriLength || !/^[a-z][a-z0-9+.-]*:\/[^\s\p{Cc}<>"\\#]*$/iu.test(text))
    return false;
  const url = parseUrl(text);
  if (url?.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return /^https:\/\/[^/]/i.test(text);
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname);
  return url.protocol.includes('.') || APP_SCHEMES.has(url.protocol);
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/**
 * Whether the address of a request is a registered one: the same text. Only the port may differ on the person's own
 * machine, where apps take any that is free (RFC 8252 §7.3).
 */
export function matchesRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  if (!isRedirectUri(asked)) return false;
  const [known, other] = [new URL(registered), new URL(asked)];
  if (known.protocol !== 'http:' || other.protocol !== 'http:') return false;
  known.port = '';
  other.port = '';
  return known.href === other.href;
}

/** The host that the consent page names: of the address to which the person is sent. */
export function hostOf(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? hostname : protocol.slice(0, -1);
}

/** A word with letters of several alphabets, some of which look alike. */
const MIXED_ALPHABETS =
  /(?=\S*\p{Script=Latin})\S*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** The name that an app gives itself; null for one that claims to be ours, or could look as if. */
export function nameOf(name: string | undefined): string | null {
  const plain = name?.normalize('NFKD') ?? '';
  return plain === '' || /altavoz/i.test(plain.replace(/\P{L}/gu, '')) || MIXED_ALPHABETS.test(plain) ? null : name!;
}

/** Whether an app has a name of its own, and not that of an address. */
export const isNamed = ({ name, redirectUris }: { name: string; redirectUris: readonly string[] }): boolean =>
  !redirectUris.some((redirectUri) => hostOf(redirectUri) === name);

/** Whether the person is sent to an app on this machine, and to no website. */
export function isLocalApp(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri);
  return protocol !== 'https:' && (protocol !== 'http:' || LOOPBACK.has(hostname));
}

const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

/** A challenge of the method S256 (RFC 7636 §4.2). `plain`, or no method, would show the verifier to the browser. */
export const isChallenge = (challenge: string | undefined, method: string | undefined): challenge is string =>
  method === 'S256' && challenge !== undefined && CHALLENGE.test(challenge);

export const provesChallenge = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;

/** The door that a resource indicator names (RFC 8707). Without one, the assistant's, whose tools do less. */
export function audienceOf(resource: string | undefined, appUrl: string): Audience | null {
  if (resource === undefined) return 'mcp';
  const named = resource.replace(/\/$/, '');
  if (named === `${appUrl}/mcp`) return 'mcp';
  return named === `${appUrl}/v1` ? 'v1' : null;
}

/** The scopes that an audience knows. */
export const scopesOf = (audience: Audience): readonly Scope[] => (audience === 'mcp' ? MCP_SCOPES : SCOPES);

/** Scopes of a request without any: everything that is only read, but for money. */
const isDefault = (scope: Scope): boolean => scope.endsWith(':read') && scope !== 'money:read';

/** The requested scopes, in our order. Unknown ones are left out, as RFC 6749 §3.3 allows: clients ask for `openid`. */
export function requestedScopes(scope: string | undefined, audience: Audience): Scope[] {
  const known = scopesOf(audience);
  const asked = new Set((scope ?? '').split(' ').filter(Boolean));
  return asked.size === 0 ? known.filter(isDefault) : known.filter((each) => asked.has(each));
}

/** The scopes for a refreshed token: those that it had, or fewer. Null if it asks for others. */
export function narrowedScopes(scope: string | undefined, granted: readonly Scope[]): Scope[] | null {
  if (scope === undefined) return [...granted];
  const asked = scope.split(' ').filter(Boolean);
  const kept = granted.filter((each) => asked.includes(each));
  return asked.length > 0 && asked.every((each) => (granted as readonly string[]).includes(each)) ? kept : null;
}

/** Whether a refresh token may still come again: its app may have sent two requests at once, or lost the answer. */
export const isJustReplaced = (usedAt: Date, now: Date): boolean => later(usedAt, APP_LIMITS.grace) > now;

/** The address to which the person returns, with our answer. `iss`: RFC 9207. */
export function answerUrl(redirectUri: string, answer: Record<string, string | undefined>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
