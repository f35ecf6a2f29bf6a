import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { CopyButton } from '~/app/components/copy-button';
import { CheckField, SelectField, TextField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { StackedTable } from '~/app/components/stacked-table';
import { SectionForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { SponsorLinkView } from '~/server/domain/statistics/sponsor-links';
import { SPONSOR_LIMITS } from '~/server/limits/statistics';
import classes from './statistics.module.css';

type Props = { links: SponsorLinkView[]; madeUrl: string | null; failure?: FormFailure };

/** A new link for a sponsor, and the links so far. */
export function SponsorLinks({ links, madeUrl, failure }: Props) {
  const { t } = useTranslation('sponsors');
  // after a link was made, the form is empty again
  const initial = useMemo(() => ({ name: '', days: '30', namesPrivate: 'false' }), [madeUrl]);
  const choices = SPONSOR_LIMITS.lifetimes.map((days) => ({ value: String(days), label: t('days', { count: days }) }));
  return (
    <Stack gap={40}>
      {madeUrl && <MadeLink url={madeUrl} />}
      <div className={classes.narrow}>
        <SectionForm
          intent="create"
          title={t('new.title')}
          initial={initial}
          failure={failure}
          submit={t('new.submit')}
        >
          <TextField name="name" label={t('new.name')} help={t('new.nameHelp')} maxLength={SPONSOR_LIMITS.nameLength} />
          <SelectField name="days" label={t('new.days')} choices={choices} />
          <CheckField name="namesPrivate" label={t('new.private')} help={t('new.privateHelp')} />
        </SectionForm>
      </div>
      {links.length > 0 && (
        <Section title={t('list.title')}>
          <LinkTable links={links} />
        </Section>
      )}
    </Stack>
  );
}

/** The only time at which the address is known. */
function MadeLink({ url }: { url: string }) {
  const { t } = useTranslation('sponsors');
  return (
    <section role="status">
      <h2 className={classes.title}>{t('made.title')}</h2>
      <p className={classes.lead}>{t('made.text')}</p>
      <p style={{ overflowWrap: 'anywhere' }}>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </p>
      <CopyButton text={url} label={t('made.copy')} done={t('made.copied')} />
    </section>
  );
}

function LinkTable({ links }: { links: SponsorLinkView[] }) {
  const { t } = useTranslation('sponsors');
  const names = ['name', 'state', 'used', 'act'].map((name) => t(`list.${name}`));
  return (
    <StackedTable className={classes.table} columns={names}>
      {links.map((link) => (
        <LinkRow key={link.id} link={link} names={names} />
      ))}
    </StackedTable>
  );
}

function LinkRow({ link, names }: { link: SponsorLinkView; names: string[] }) {
  const { t, locale } = useTranslation('sponsors');
  const zone = useCreatorTimeZone();
  const at = (date: Date) => formatDateTime(new Date(date), locale, zone);
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{link.name}</span>
      </th>
      <td data-label={names[1]}>{t(`state.${link.state}`, { date: at(link.expiresAt) })}</td>
      <td data-label={names[2]}>{link.lastUsedAt ? at(link.lastUsedAt) : t('list.unused')}</td>
      <td data-label={names[3]}>
        {link.state === 'live' ? (
          <Form method="post">
            <input type="hidden" name="linkId" value={link.id} />
            <IntentButton intent="revoke" label={t('list.revokeOf', { name: link.name })}>
              {t('list.revoke')}
            </IntentButton>
          </Form>
        ) : (
          '–'
        )}
      </td>
    </tr>
  );
}
