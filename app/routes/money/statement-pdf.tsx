import { pdfResponse } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { statementText } from '~/app/features/studio/money/paper-lines';
import { file } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { STATEMENT_LIMITS } from '~/server/limits/payouts';

/** A statement for printing. A long one ends with a note that refers to the CSV file. */
export const loader = file(async ({ api, context, url }) => {
  const { language, locale } = context;
  const asked = { ...Object.fromEntries(url.searchParams), page: 1, pageSize: STATEMENT_LIMITS.printed };
  const statement = await api.payouts.statement(asked as never);
  return pdfResponse(`statement-${statement.month}-${statement.currency}.pdf`, {
    text: statementText(statement, { t: translator(language, 'money'), language, locale }),
    language,
  });
});
