import { inLanguage } from '~/app/features/public/content-language';
import { CopyRow } from '~/app/features/public/copy-row';
import { CoverPicture } from '~/app/features/public/cover-picture';
import { useTranslation } from '~/app/lib/translation';
import type { ListedGift } from './given-gifts.server';

/** What somebody has given, with the link of each gift that nobody has redeemed yet. */
export function GivenGifts({ gifts }: { gifts: ListedGift[] }) {
  const { t } = useTranslation('gifts');
  if (gifts.length === 0) return null;
  return (
    <>
      <h2>{t('given.title')}</h2>
      <ul className="heard">
        {gifts.map((gift) => (
          <li key={gift.id}>
            <CoverPicture cover={gift.cover} alt="" wide={72} />
            <div>
              <h3 {...inLanguage(gift.language)}>
                <a href={gift.pageUrl}>{gift.name}</a>
              </h3>
              <p className="small muted">
                {gift.months === null ? t('given.once') : t('given.months', { count: gift.months })}
                {gift.recipient && (
                  <>
                    {' · '}
                    <bdi>{t('given.for', { name: gift.recipient })}</bdi>
                  </>
                )}
              </p>
              <p className={`state ${gift.state === 'open' ? '' : 'unsubscribed'}`}>
                {t(`given.${gift.state}`, { date: gift.date })}
              </p>
              {gift.url && <CopyRow text={gift.url} label={t('given.link', { show: gift.name })} />}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
