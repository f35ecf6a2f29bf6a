import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { DonationCard } from './my-donations.server';

/** A listener's donations; each monthly donation has a button that stops it. */
export function MyDonations({ donations }: { donations: DonationCard[] }) {
  const { t } = useTranslation('donation');
  return (
    <ul className="heard">
      {donations.map((donation) => (
        <li key={donation.id}>
          {donation.avatar ? <img className="avatar" src={donation.avatar} alt="" width={72} height={72} /> : <span />}
          <div>
            <h3 dir="auto">
              <a href={donation.url}>{t('mine.to', { name: donation.name })}</a>
            </h3>
            <p className="small muted">{[donation.text, donation.total].filter(Boolean).join(' · ')}</p>
            {donation.canStop && <DonationActions donation={donation} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function DonationActions({ donation: { id, name, confirmationUrl, needsCard } }: { donation: DonationCard }) {
  const { t } = useTranslation('donation');
  const { paymentMethods } = usePaths();
  const named = <span className="hidden-visually">: {t('mine.to', { name })}</span>;
  return (
    <Form method="post" className="actions">
      {confirmationUrl && (
        <a className="button slim" href={confirmationUrl}>
          {t('mine.confirm')}
          {named}
        </a>
      )}
      {needsCard && (
        <Link className="button slim" to={paymentMethods}>
          {t('mine.updateCard')}
          {named}
        </Link>
      )}
      <input type="hidden" name="donationId" value={id} />
      <button className="button plain slim" type="submit" name="intent" value="stop">
        {t('mine.stop')}
        {named}
      </button>
    </Form>
  );
}
