import { pdfResponse } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { paperKindOf } from '~/app/features/studio/money/money-paths';
import { paperText } from '~/app/features/studio/money/paper-lines';
import { file } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';

/** A self-billing invoice, or the credit note that cancels one. */
export const loader = file(async ({ api, context, params }) => {
  const kind = paperKindOf(params.paper);
  const { language, locale } = context;
  if (!kind) throw new Response(`${context.translate('errors:common.not_found')}\n`, { status: 404 });
  const paper = await api.payouts.paper({ id: params.id ?? '', kind });
  return pdfResponse(`${kind.replace('_', '-')}-${paper.number}.pdf`, {
    text: paperText(paper, { t: translator(language, 'money'), language, locale }),
    language,
  });
});
