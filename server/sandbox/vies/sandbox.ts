import { Hono } from 'hono';
import { z } from 'zod';

const question = z.object({
  countryCode: z.string().length(2),
  vatNumber: z.string().min(2).max(12),
  requesterNumber: z.string().optional(),
});

export type ViesSandbox = {
  app: Hono;
  /** Numbers, with their prefix, that are not in the register. */
  unknown: Set<string>;
  /** Countries whose register does not answer. */
  silent: Set<string>;
};

/** The numbers of the service's own test environment, with their answers. */
export const TEST_ANSWERS: Record<string, string> = {
  '200': 'INVALID',
  '201': 'INVALID_INPUT',
  '202': 'INVALID_REQUESTER_INFO',
  '300': 'SERVICE_UNAVAILABLE',
  '301': 'MS_UNAVAILABLE',
  '302': 'TIMEOUT',
  '400': 'VAT_BLOCKED',
  '401': 'IP_BLOCKED',
  '500': 'GLOBAL_MAX_CONCURRENT_REQ',
  '501': 'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  '600': 'MS_MAX_CONCURRENT_REQ',
  '601': 'MS_MAX_CONCURRENT_REQ_TIME',
};

/** A local VAT number register with the service's own calls: it contains every number except those in `unknown`. */
export function openViesSandbox(): ViesSandbox {
  const [unknown, silent] = [new Set<string>(), new Set<string>()];
  const app = new Hono();
  app.post('/check-vat-number', async (c) => {
    const parsed = question.safeParse(await c.req.json().catch(() => null));
    if (!parsed.success) return c.json(refusal('INVALID_INPUT'));
    const { countryCode, vatNumber, requesterNumber } = parsed.data;
    if (silent.has(countryCode)) return c.json(refusal('MS_UNAVAILABLE'));
    const told = TEST_ANSWERS[vatNumber];
    // without an asker's number, none can be rejected
    const isRefused = told === 'INVALID_REQUESTER_INFO' ? Boolean(requesterNumber) : told && told !== 'INVALID';
    if (told && isRefused) return c.json(refusal(told));
    const valid = told !== 'INVALID' && !unknown.has(countryCode + vatNumber);
    return c.json({
      countryCode,
      vatNumber,
      requestDate: new Date().toISOString(),
      valid,
      requestIdentifier: requesterNumber && valid ? `WAPI${countryCode}${vatNumber}` : '',
      name: valid ? `Company ${vatNumber}` : '---',
      address: '---',
    });
  });
  return { app, unknown, silent };
}

const refusal = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] });
