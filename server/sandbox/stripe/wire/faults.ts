export type FaultBody = {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: unknown;
  setup_intent?: unknown;
  payment_method?: unknown;
  charge?: string;
  doc_url?: string;
};

/** A refusal in Stripe's own shape. `keeps`: what was written until then stays (a declined payment leaves its trace). */
export class StripeFault extends Error {
  constructor(
    readonly status: number,
    readonly body: FaultBody,
    readonly keeps = false,
  ) {
    super(body.message);
  }
}

export function refused(
  message: string,
  { code, param, status = 400 }: { code?: string; param?: string; status?: number } = {},
) {
  return new StripeFault(status, {
    type: 'invalid_request_error',
    message,
    ...(code && { code, doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}` }),
    ...(param && { param }),
  });
}

export const missingResource = (kind: string, id: string, param = 'id') =>
  refused(`No such ${kind}: '${id}'`, { code: 'resource_missing', param, status: 404 });

export const missingParameter = (param: string) =>
  refused(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

export const unknownParameter = (param: string) =>
  refused(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });

export const unknownRoute = (method: string, path: string) =>
  refused(
    `Unrecognized request URL (${method}: ${path}). This sandbox does not imitate it, or Stripe has no such address.`,
    {
      status: 404,
    },
  );

export const wrongState = (message: string, code: string) => refused(message, { code });
