import { creditNoteText } from '~/app/features/listener/subscriptions/credit-note-lines';
import { pdfResponse } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { file } from '~/app/lib/doors.server';
import { parseId } from '~/app/lib/route-refs';
import { translator } from '~/app/lib/texts.server';

/** The corrective invoice of a refund, made on demand. */
export const loader = file(async ({ api, context, params }) => {
  const { language, locale } = context;
  const receipt = await api.receipts.get({ id: parseId(params.id) });
  const note = receipt.creditNotes.find(({ id }) => id === parseId(params.note));
  if (!note) throw new Response(`${context.translate('errors:common.not_found')}\n`, { status: 404 });
  const text = creditNoteText(receipt, note, { t: translator(language, 'subscriptions'), language, locale });
  return pdfResponse(`${note.number}.pdf`, { text, language });
});
