/** Header fields of an email, in their order. */
type Headers = readonly { key: string; value: string }[];

const MAX_RESULTS = 4000;
const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * The domain whose signature the receiving server has verified (RFC 8601); null if it says so of none. The server removes fields
 * that others have written in its name, so the first one with its id is its own.
 * @param server the id with which the server begins its fields
 */
export function signerOf(headers: Headers, server: string): string | null {
  const results = headers
    .filter(({ key }) => key === 'authentication-results')
    .map(({ value }) => withoutTexts(value.slice(0, MAX_RESULTS)).split(';'))
    .find(([id]) => id?.trim().split(/\s/)[0]?.toLowerCase() === server);
  const passed = (results ?? []).slice(1).filter((result) => /^\s*dkim\s*=\s*pass\b/i.test(result));
  const domains = passed.flatMap((result) => {
    const domain = /\sheader\.d\s*=\s*(\S+)/i.exec(result)?.[1]?.toLowerCase() ?? '';
    return DOMAIN.test(domain) ? [domain] : [];
  });
  return domains[0] ?? null;
}

/** Comments and quoted texts contain what the sender has written. */
function withoutTexts(value: string): string {
  let [kept, depth, isQuoted] = ['', 0, false];
  for (let i = 0; i < value.length; i += 1) {
    const char = value[i]!;
    if (char === '\\') i += 1;
    else if (char === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += char;
  }
  return kept;
}
