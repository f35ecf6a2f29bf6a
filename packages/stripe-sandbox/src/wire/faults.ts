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

/** An error in Stripe's format. `keepsChanges`: commit earlier changes, as for a declined payment. */
export class StripeFault extends Error {
  constructor(
    readonly status: number,
    readonly body: FaultBody,
    readonly keepsChanges = false,
  ) {
    super(body.message);
  }
}

export function invalidRequest(
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

/** The fault for an unknown id in a parameter. For an id in the URL, the API answers 404 (`withUrlStatus`). */
export const missingResource = (kind: string, id: string, param = 'id') =>
  invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param });

/** The same fault with status 404 if it is about an object that the URL names. */
export function withUrlStatus(fault: StripeFault, ids: string[]): StripeFault {
  const isNamed = fault.body.code === 'resource_missing' && ids.some((id) => fault.body.message.endsWith(`'${id}'`));
  return isNamed ? new StripeFault(404, fault.body) : fault;
}

export const missingParameter = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

export const unknownParameter = (param: string) =>
  invalidRequest(
    `Received unknown parameter: ${param}. This sandbox does not support it, or Stripe has no such parameter.`,
    { code: 'parameter_unknown', param },
  );

export const unknownRoute = (method: string, path: string) =>
  invalidRequest(
    `Unrecognized request URL (${method}: ${path}). This sandbox does not support it, or Stripe has no such URL.`,
    {
      status: 404,
    },
  );

export const wrongState = (message: string, code: string) => invalidRequest(message, { code });
