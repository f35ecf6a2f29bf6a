import { storeConsent } from '~/app/lib/consent';
import type { Services } from '~/app/lib/root-data';
import { useTranslation } from '~/app/lib/translation';
import type { Consent } from '~/server/base/consent';

/** Asks once, with two equally prominent choices. The bar stays until the server has stored the answer. */
export function ConsentBar({ gtmId, chat, onChosen }: Services & { onChosen: () => void }) {
  const { t } = useTranslation('tracking');
  const choose = (consent: Consent) => void storeConsent(consent).then(onChosen, () => {});
  return (
    <section className="consent-bar" aria-label={t('consent.label')}>
      <p>{t(gtmId ? (chat ? 'consent.both' : 'consent.text') : 'consent.chat')}</p>
      <div>
        <button type="button" onClick={() => choose('denied')}>
          {t('consent.decline')}
        </button>
        <button type="button" onClick={() => choose('granted')}>
          {t('consent.accept')}
        </button>
      </div>
    </section>
  );
}
