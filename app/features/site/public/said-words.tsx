import { AddressLink } from '~/app/components/address-link';
import { formatClock } from '~/app/lib/clock';
import { markedWords } from '~/app/lib/marked-words';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';
import type { ListedPassages } from './passages.server';

/** `morePath`: the address of the page for these words; the number of the next part is added to it. */
type Props = { passages: ListedPassages; search: string; morePath: string; level?: 2 | 3 };

/** Where the words of a search are said: each passage leads to its second. */
export function SaidWords({ passages: { items, next }, search, morePath, level = 3 }: Props) {
  const { t } = useTranslation('public');
  if (items.length === 0) return null;
  const Title = `h${level}` as const;
  return (
    <section className="said-words" aria-labelledby="said-words">
      <Title id="said-words">{t('said.title')}</Title>
      <ul>
        {items.map(({ name, show, seconds, text, url, language }) => (
          <li key={`${url} ${text}`}>
            <AddressLink href={url}>
              <bdi>{name}</bdi>
              {seconds !== null && <span className="muted"> · {formatClock(seconds)}</span>}
            </AddressLink>
            {show !== null && (
              <span className="muted small">
                {' '}
                · <bdi>{show}</bdi>
              </span>
            )}
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
          <Link className="button plain" to={`${morePath}&passages=${next}`}>
            {t('said.more')}
          </Link>
        </p>
      )}
    </section>
  );
}
