import { ScrollRegion } from '~/app/components/scroll-region';
import { useTranslation } from '~/app/lib/translation';
import type { CalculatorView } from './calculator-data.server';

type Props = Pick<NonNullable<CalculatorView['result']>, 'platforms'>;

/** The same payments on Altavoz and on other platforms, with their published fees. */
export function PlatformTable({ platforms }: Props) {
  const { t } = useTranslation('calculator');
  return (
    <section>
      <h2 id="others">{t('others.title')}</h2>
      <p className="calculator-note">{t('others.text')}</p>
      <ScrollRegion className="wide-amounts" labelledBy="others">
        <table className="platform-table stacked-table">
          <caption className="hidden-visually">{t('others.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('others.name')}</th>
              <th scope="col">{t('others.fees')}</th>
              <th scope="col">{t('others.left')}</th>
            </tr>
          </thead>
          <tbody>
            {platforms.map(({ id, name, published, fees, left, missing, sources }) => (
              <tr key={id} className={id === 'altavoz' ? 'own-row' : undefined}>
                <th scope="row">
                  <strong>{name}</strong>
                  <span className="muted small">{published}</span>
                  <span className="muted small">
                    {sources.map(({ url, label }) => (
                      <a key={url} href={url} rel="nofollow noopener">
                        {label}
                      </a>
                    ))}
                  </span>
                </th>
                <td data-label={t('others.fees')}>{fees}</td>
                <td data-label={t('others.left')}>{left ?? <span className="muted small">{missing}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="muted small">{t('others.limits')}</p>
    </section>
  );
}
