import { receiptData } from '~/app/features/listener/subscriptions/receipt-data.server';
import { pdfResponse } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { file } from '~/app/lib/doors.server';

/** A receipt as a PDF, made on demand. */
export const loader = file(async (door) => {
  const { receipt, text } = await receiptData(door);
  return pdfResponse(`${receipt.number}.pdf`, { text, language: door.context.language });
});
