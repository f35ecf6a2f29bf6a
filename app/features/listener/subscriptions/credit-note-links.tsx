import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';

type Props = { receipt: number; notes: { id: number; number: string }[] };

/** The corrective invoices of a receipt, as PDF files. */
export function CreditNoteLinks({ receipt, notes }: Props) {
  const { t } = useTranslation('subscriptions');
  const paths = usePaths();
  return notes.map(({ id, number }) => (
    <p key={id} className="small">
      <a href={paths.creditNotePdf(receipt, id)} download>
        {t('creditNote.pdf', { number })}
      </a>
    </p>
  ));
}
