type Details = {
  title?: string;
  detail?: string;
  code?: string;
  errors?: Record<string, string[]>;
  request_id?: string;
};

/** A call that the API has refused, with its problem details (RFC 9457). */
export class AltavozProblem extends Error {
  override name = 'AltavozProblem';

  private constructor(
    readonly status: number,
    /** A stable name, such as `episode.not_found`. */
    readonly code: string,
    message: string,
    /** Messages by field. */
    readonly errors: Record<string, string[]>,
    /** For questions to the operator. */
    readonly requestId: string | null,
  ) {
    super(message);
  }

  static async of(response: Response): Promise<AltavozProblem> {
    const details = await response.json().then(
      (body) => (typeof body === 'object' && body !== null ? (body as Details) : {}),
      (): Details => ({}),
    );
    const { code = 'unknown', detail, title, errors = {}, request_id: requestId = null } = details;
    return new AltavozProblem(response.status, code, detail ?? title ?? `status ${response.status}`, errors, requestId);
  }
}
