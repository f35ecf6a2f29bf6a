import type { Ctx } from '../ctx';
import { ERROR_KINDS, type ErrorKind } from '../errors';
import { describeProblem } from '../problems';

/** A failure in the reader's language, as pages show it. */
export type Explained = {
  kind: ErrorKind;
  status: number;
  code: string;
  message: string;
  fields: Record<string, string[]>;
  unexpected: boolean;
};

export function explainIn(say: Ctx['translate']) {
  return (error: unknown): Explained => {
    const { kind, code, params, fields, unexpected } = describeProblem(error);
    const said = Object.entries(fields).map(([field, all]) => [
      field,
      all.map((s) => say(`errors:${s.key}`, s.params)),
    ]);
    return {
      kind,
      code,
      unexpected,
      status: ERROR_KINDS[kind].status,
      message: say(`errors:${code}`, params),
      fields: Object.fromEntries(said),
    };
  };
}
