import { useTranslation } from '~/app/lib/translation';

/** Links to the show's pages in directories. */
export function Listings({ listings }: { listings: { name: string; url: string }[] }) {
  const { t } = useTranslation('public');
  if (listings.length === 0) return null;
  return (
    <p className="listings">
      {t('listings')}
      {listings.map(({ name, url }) => (
        <a key={name} href={url} rel="noopener">
          {name}
        </a>
      ))}
    </p>
  );
}
