import { receiptData } from '~/app/features/subscriptions/receipt-data.server';
import { receiptPdf } from '~/app/features/subscriptions/receipt-pdf.server';
import { page } from '~/app/lib/doors.server';

/** A receipt as a PDF, made on demand. */
export const loader = page(async (door) => {
  const { receipt, text } = await receiptData(door);
  return new Response(await receiptPdf(text, door.context.language), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${receipt.number}.pdf"`,
      'cache-control': 'private, no-store',
    },
  });
});
