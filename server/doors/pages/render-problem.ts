import { ERROR_KINDS, type ErrorKind, type ErrorParams } from '../../base/errors';
import { describeProblem } from '../../base/problems';
import type { Ctx } from '../../runtime/ctx';

/** An error in the user's language, as pages show it. */
export type RenderedProblem = {
  kind: ErrorKind;
  status: number;
  code: string;
  message: string;
  /** The values of the message. */
  params: ErrorParams;
  fields: Record<string, string[]>;
  unexpected: boolean;
};

export function problemRenderer(translate: Ctx['translate']) {
  return (error: unknown): RenderedProblem => {
    const { kind, code, params, fields, unexpected } = describeProblem(error);
    const messages = Object.entries(fields).map(([field, all]) => [
      field,
      all.map((s) => translate(`errors:${s.key}`, s.params)),
    ]);
    return {
      kind,
      code,
      params,
      unexpected,
      status: ERROR_KINDS[kind].status,
      message: translate(`errors:${code}`, params),
      fields: Object.fromEntries(messages),
    };
  };
}
