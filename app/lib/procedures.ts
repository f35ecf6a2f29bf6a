/** A procedure's error: its code, and the messages in the user's language. */
export class ProcedureError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Record<string, string[]> = {},
  ) {
    super(message);
  }
}

type TrpcEnvelope = {
  result?: { data?: { json?: unknown } };
  error?: { json?: { message?: string; data?: ErrorData } };
};
type ErrorData = { httpStatus?: number; app?: { code?: string }; fields?: Record<string, string[]> | null };

/**
 * Calls a query procedure with plain fetch, because public pages load no client library. Dates arrive as strings.
 * @throws ProcedureError for an error response, TypeError for a failed connection
 */
export async function queryProcedure<Answer>(
  procedure: string,
  input: unknown,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Answer> {
  const query = encodeURIComponent(JSON.stringify({ json: input }));
  return readResult(
    await fetch(`/trpc/${procedure}?input=${query}`, { headers: { accept: 'application/json' }, signal }),
  );
}

/** Calls a mutation procedure. It is sent even while the user leaves the page. */
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
    error?.data?.fields ?? {},
  );
}
