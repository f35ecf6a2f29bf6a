import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { DmarcRate } from '~/server/domain/newsletter/dmarc-rate';
import { ConsoleTable } from './console-table';

/** How much of a domain's email passed DMARC, in words, and the servers that sent it. */
export function DmarcReport({ rate }: { rate: DmarcRate & { domain: string } }) {
  const { t, locale } = useTranslation('admin');
  const { domain, reports, messages, passed, sources } = rate;
  const number = (value: number) => formatNumber(value, locale);
  if (reports === 0)
    return (
      <Section title={t('dmarc.title')}>
        <p>{t('dmarc.none', { domain })}</p>
      </Section>
    );
  // rounded down: 100 % means that all passed
  const percent = number(Math.floor((passed * 1000) / messages) / 10);
  return (
    <Section title={t('dmarc.title')}>
      <p>{t('dmarc.rate', { domain, percent, messages: number(messages) })}</p>
      {passed < messages && <p>{t('dmarc.failures')}</p>}
      <ConsoleTable
        label={t('dmarc.title')}
        rows={sources}
        keyOf={({ ip }) => ip}
        columns={[
          { name: t('dmarc.server'), cell: ({ ip }) => ip, wraps: true },
          { name: t('dmarc.messages'), cell: (source) => number(source.messages) },
          { name: t('dmarc.passed'), cell: (source) => number(source.passed) },
        ]}
      />
    </Section>
  );
}
