import { inLanguage } from '~/app/features/site/public/content-language';
import { CopyRow } from '~/app/features/site/public/copy-row';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { useTranslation } from '~/app/lib/translation';
import type { ListedGift } from './given-gifts.server';

/** The gifts that the user has bought, with the link of each gift not yet redeemed. */
export function GivenGifts({ gifts }: { gifts: ListedGift[] }) {
  const { t } = useTranslation('buying');
  if (gifts.length === 0) return null;
  return (
    <>
      <h2>{t('gift.given.title')}</h2>
      <ul className="heard">
        {gifts.map((gift) => (
          <li key={gift.id}>
            <CoverPicture cover={gift.cover} alt="" wide={72} />
            <div>
              <h3 {...inLanguage(gift.language)}>
                <a href={gift.pageUrl}>{gift.name}</a>
              </h3>
              <p className="small muted">
                {gift.months === null ? t('gift.given.once') : t('gift.given.months', { count: gift.months })}
                {gift.recipient && (
                  <>
                    {' · '}
                    <bdi>{t('gift.given.for', { name: gift.recipient })}</bdi>
                  </>
                )}
              </p>
              <p className={`state ${gift.state === 'open' ? '' : 'unsubscribed'}`}>
                {t(`gift.given.${gift.state}`, { date: gift.date })}
              </p>
              {gift.url && <CopyRow text={gift.url} label={t('gift.given.link', { show: gift.name })} />}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
