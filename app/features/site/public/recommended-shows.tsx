import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';

export type RecommendedShow = {
  id: number;
  name: string;
  language: string;
  by: string;
  visitUrl: string;
  picture: string;
};

/** Shows of other creators that a show recommends. */
export function RecommendedShows({ shows }: { shows: RecommendedShow[] }) {
  const { t } = useTranslation('public');
  if (shows.length === 0) return null;
  return (
    <section className="recommends" aria-labelledby="recommends">
      <h2 id="recommends">{t('recommends')}</h2>
      <ul>
        {shows.map(({ id, name, language, by, visitUrl, picture }) => (
          <li key={id}>
            <a href={visitUrl} rel="nofollow">
              <img src={picture} alt="" width={64} height={64} loading="lazy" />
              <span>
                <strong {...inLanguage(language)}>{name}</strong>
                <span dir="auto">{by}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
