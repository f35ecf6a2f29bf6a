import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { ConsoleTable } from '~/app/features/operator/admin/console-table';
import { RowButton } from '~/app/features/operator/admin/row-forms';
import { useTime } from '~/app/features/operator/admin/use-time';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { Form, useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import type { AnnouncementRow } from '~/server/domain/reference/announcements';
import { ANNOUNCEMENT_LIMITS } from '~/server/limits/operators';

export const loader = operatorPage('announcements.title', async ({ api }) => ({
  rows: await api.console.announcements(),
  now: new Date(),
}));

export const action = operatorAction({
  publish: ({ api }, values) => api.console.publishAnnouncement(values as never),
  withdraw: ({ api }, { id }) => api.console.withdrawAnnouncement({ id: id as never }),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Announcements() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure} lead={t('announcements.lead')}>
      {({ rows, now }) => (
        <>
          <Publish failure={failure} />
          <Section title={t('announcements.earlier')}>
            <Rows rows={rows} now={now} />
          </Section>
        </>
      )}
    </ConsolePage>
  );
}

function Publish({ failure }: { failure?: FormFailure }) {
  const { t } = useTranslation('admin');
  const of = (name: string) => ({
    name,
    label: t(`announcements.${name}`),
    defaultValue: failure?.values[name],
    error: failure?.fields[name]?.join(' '),
  });
  const { textLength, linkLength } = ANNOUNCEMENT_LIMITS;
  return (
    <Section title={t('announcements.new')}>
      <Form method="post">
        <Stack gap={16} mb={32} align="stretch">
          <Textarea {...of('textEn')} maxLength={textLength} autosize minRows={2} required lang="en" />
          <Textarea {...of('textEs')} maxLength={textLength} autosize minRows={2} required lang="es" />
          <NativeSelect
            {...of('level')}
            data={['info', 'warning'].map((value) => ({ value, label: t(`announcements.levels.${value}`) }))}
          />
          <TextInput {...of('link')} type="url" maxLength={linkLength} />
          <TextInput {...of('from')} type="datetime-local" description={t('announcements.fromHint')} />
          <TextInput {...of('until')} type="datetime-local" required />
          <Button type="submit" name="intent" value="publish" style={{ alignSelf: 'start' }}>
            {t('announcements.publish')}
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}

function Rows({ rows, now }: { rows: AnnouncementRow[]; now: Date }) {
  const { t, language } = useTranslation('admin');
  const time = useTime();
  const stateOf = ({ startsAt, endsAt, withdrawnAt }: AnnouncementRow) => {
    if (withdrawnAt) return 'withdrawn';
    if (endsAt <= now) return 'ended';
    return startsAt > now ? 'planned' : 'shown';
  };
  return (
    <ConsoleTable
      label={t('announcements.title')}
      rows={rows}
      keyOf={({ id }) => String(id)}
      columns={[
        {
          name: t('announcements.text'),
          cell: ({ textEn, textEs }) => <bdi>{language === 'es' ? textEs : textEn}</bdi>,
          wraps: true,
        },
        { name: t('users.state'), cell: (row) => t(`announcements.states.${stateOf(row)}`) },
        { name: t('announcements.begin'), cell: ({ startsAt }) => time(startsAt) },
        { name: t('announcements.end'), cell: ({ endsAt }) => time(endsAt) },
        { name: t('announcements.by'), cell: ({ createdBy }) => createdBy },
        {
          name: t('actions'),
          cell: (row) =>
            ['planned', 'shown'].includes(stateOf(row)) && (
              <RowButton
                intent="withdraw"
                hidden={{ id: row.id }}
                label={t('announcements.withdrawOf', { text: row.textEn })}
              >
                {t('announcements.withdraw')}
              </RowButton>
            ),
        },
      ]}
    />
  );
}
