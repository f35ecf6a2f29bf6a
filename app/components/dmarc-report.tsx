import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { DmarcRate } from '~/server/domain/newsletter/dmarc-rate';
import { Section } from './page-header';
import { StackedTable } from './stacked-table';
import table from './table.module.css';

/** How much of a domain's email passed DMARC, in words, and the servers that sent it. */
export function DmarcReport({ rate }: { rate: DmarcRate & { domain: string } }) {
  const { t, locale } = useTranslation('sending');
  const { domain, reports, messages, passed, sources } = rate;
  const number = (value: number) => formatNumber(value, locale);
  if (reports === 0)
    return (
      <Section title={t('dmarc.title')}>
        <p>{t('dmarc.none', { domain })}</p>
      </Section>
    );
  // rounded down: 100 % means that all passed
  const percent = number(messages === 0 ? 0 : Math.floor((passed * 1000) / messages) / 10);
  return (
    <Section title={t('dmarc.title')}>
      <p>{t('dmarc.rate', { domain, percent, messages: number(messages) })}</p>
      {passed < messages && <p>{t('dmarc.failures')}</p>}
      <StackedTable
        className={table.table}
        label={t('dmarc.title')}
        columns={[t('dmarc.server'), t('dmarc.messages'), t('dmarc.passed')]}
      >
        {sources.map((source) => (
          <tr key={source.ip}>
            <th scope="row">{source.ip}</th>
            <td data-label={t('dmarc.messages')}>{number(source.messages)}</td>
            <td data-label={t('dmarc.passed')}>{number(source.passed)}</td>
          </tr>
        ))}
      </StackedTable>
    </Section>
  );
}
