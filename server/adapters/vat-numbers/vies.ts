import { z } from 'zod';
import { AskerRejected, RegisterUnavailable } from '../../base/errors';
import type { RegisterAnswer, RegisteredNumber, VatNumbersPort } from './port';

/** The Commission's own REST service; free, and without a key. */
export const VIES_URL = 'https://ec.europa.eu/taxation_customs/vies/rest-api';
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 100_000;

type Wire = { url?: string; fetch?: typeof fetch };

/** An answer. Countries that don't publish names send three hyphens. */
const answer = z.object({
  valid: z.boolean().nullish(),
  name: z.string().nullish(),
  requestIdentifier: z.string().nullish(),
  /** Why the register can't tell. Some countries send it beside `valid: false`. */
  userError: z.string().nullish(),
  errorWrappers: z.array(z.object({ error: z.string() })).nullish(),
});
type ViesAnswer = z.infer<typeof answer>;

export function viesRegister({ url = VIES_URL, fetch: call = fetch }: Wire = {}): VatNumbersPort {
  return {
    async check(number, asker) {
      const body = JSON.stringify({ countryCode: number.country, vatNumber: number.number, ...toAsker(asker) });
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await call(`${url}/check-vat-number`, { method: 'POST', body, headers, signal }).catch(
        () => null,
      );
      const text = await response?.text().catch(() => '');
      return toAnswer(text ?? '');
    },
  };
}

const toAsker = (asker: RegisteredNumber | null) =>
  asker && { requesterMemberStateCode: asker.country, requesterNumber: asker.number };

const INVALID: RegisterAnswer = { isValid: false, name: null, requestId: null };
/** Values of `userError` for a number that was looked up. */
const LOOKED_UP = new Set(['', 'VALID', 'INVALID']);

function toAnswer(text: string): RegisterAnswer {
  const parsed = text.length > 0 && text.length < MAX_ANSWER ? answer.safeParse(parseJson(text)) : null;
  if (!parsed?.success) throw new RegisterUnavailable('VIES does not answer');
  const { valid, name, requestIdentifier } = parsed.data;
  const problem = problemOf(parsed.data);
  // final: no number of that country looks like this
  if (problem === 'INVALID_INPUT') return INVALID;
  if (problem?.startsWith('INVALID_REQUESTER')) throw new AskerRejected(problem);
  // also for unknown problems: asking again costs less than rejecting a valid number
  if (problem !== null || typeof valid !== 'boolean') throw new RegisterUnavailable(problem ?? 'VIES does not answer');
  return { isValid: valid, name: name && name !== '---' ? name : null, requestId: requestIdentifier || null };
}

/** An error has status 200, 400 or 500. */
function problemOf({ valid, userError, errorWrappers }: ViesAnswer): string | null {
  const [first] = errorWrappers ?? [];
  if (first) return first.error;
  return valid || LOOKED_UP.has(userError ?? '') ? null : (userError ?? null);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
