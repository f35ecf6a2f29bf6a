import { AddressLink } from '~/app/components/address-link';
import { formatClock } from '~/app/lib/clock';
import { markedWords } from '~/app/lib/marked-words';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';
import type { ListedPassages } from './product-page-data.server';

type Props = { path: string; passages: ListedPassages; search: string; language: string };

/** Where the words of a search are said: each passage leads to its second. */
export function SaidWords({ path, passages: { items, next }, search, language }: Props) {
  const { t } = useTranslation('public');
  if (items.length === 0) return null;
  return (
    <section className="said-words" aria-labelledby="said-words">
      <h3 id="said-words">{t('said.title')}</h3>
      <ul>
        {items.map(({ name, seconds, text, url }) => (
          <li key={`${url} ${text}`}>
            <AddressLink href={url}>
              <bdi>{name}</bdi>
              {seconds !== null && <span className="muted"> · {formatClock(seconds)}</span>}
            </AddressLink>
            <p {...inLanguage(language)}>
              {markedWords(text, search).map((part, i) =>
                part.isMatch ? <mark key={i}>{part.text}</mark> : part.text,
              )}
            </p>
          </li>
        ))}
      </ul>
      {next !== null && (
        <p>
          <Link className="button plain" to={`${path}?${new URLSearchParams({ q: search, passages: String(next) })}`}>
            {t('said.more')}
          </Link>
        </p>
      )}
    </section>
  );
}
