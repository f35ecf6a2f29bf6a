/** What a procedure answered instead of a result: its error's code, with the sentence in the reader's language. */
export class ProcedureError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

type TrpcEnvelope = {
  result?: { data?: { json?: unknown } };
  error?: { json?: { message?: string; data?: { httpStatus?: number; app?: { code?: string } } } };
};

/**
 * Calls one procedure over HTTP with nothing but fetch: public pages carry no client library. Dates arrive as text.
 * @throws Refused for an answer, TypeError for a broken line
 */
export async function queryProcedure<Answer>(procedure: string, input: unknown): Promise<Answer> {
  const query = encodeURIComponent(JSON.stringify({ json: input }));
  return readResult(await fetch(`/trpc/${procedure}?input=${query}`, { headers: { accept: 'application/json' } }));
}

/** The same for a procedure that changes something; it is sent even while the page is being left. */
export async function mutateProcedure<Answer>(procedure: string, input: unknown): Promise<Answer> {
  const response = await fetch(`/trpc/${procedure}`, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ json: input }),
  });
  return readResult(response);
}

async function readResult<Answer>(response: Response): Promise<Answer> {
  const body = (await response.json().catch(() => ({}))) as TrpcEnvelope;
  if (response.ok && body.result) return body.result.data?.json as Answer;
  const error = body.error?.json;
  throw new ProcedureError(
    error?.data?.httpStatus ?? response.status,
    error?.data?.app?.code ?? '',
    error?.message ?? '',
  );
}
