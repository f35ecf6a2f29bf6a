import { TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import classes from '~/app/features/operator/admin/admin.module.css';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { useTime } from '~/app/features/operator/admin/use-time';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { Form, useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import type { SwitchState } from '~/server/domain/reference/switches';

export const loader = operatorPage('flags.title', ({ api }) => api.console.switches());

export const action = operatorAction({
  set: ({ api }, values) => api.console.setSwitch(values as never),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Flags() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure} lead={t('flags.lead')}>
      {(flags) => flags.map((flag) => <Flag key={flag.name} flag={flag} />)}
    </ConsolePage>
  );
}

const stateOf = (percent: number) => (percent === 100 ? 'flags.on' : percent === 0 ? 'flags.off' : 'flags.part');

function Flag({ flag: { name, percent, creatorIds, changedAt, changedBy } }: { flag: SwitchState }) {
  const { t } = useTranslation('admin');
  const time = useTime();
  return (
    <Section title={t(`flags.names.${name}`)}>
      <div className={classes.feature}>
        <p>
          {t(`flags.what.${name}`)}{' '}
          {changedAt && t('flags.changed', { date: time(changedAt) ?? '', by: changedBy ?? '' })}
        </p>
        <div className={classes.flag}>
          <Form method="post">
            <input type="hidden" name="name" value={name} />
            <input type="hidden" name="intent" value="set" />
            <button
              type="submit"
              role="switch"
              className={classes.switch}
              name="percent"
              value={percent > 0 ? 0 : 100}
              aria-checked={percent > 0}
              aria-label={t(`flags.names.${name}`)}
            />
          </Form>
          <strong>{t(stateOf(percent), { percent })}</strong>
        </div>
        <details className={classes.more}>
          <summary>{t('flags.some')}</summary>
          <Form method="post" aria-label={t(`flags.names.${name}`)}>
            <input type="hidden" name="name" value={name} />
            <TextInput
              name="percent"
              label={t('flags.percent')}
              key={percent}
              defaultValue={percent}
              inputMode="numeric"
              maxLength={3}
              required
            />
            <TextInput
              name="creatorIds"
              label={t('flags.creators')}
              key={creatorIds.join(' ')}
              defaultValue={creatorIds.join(' ')}
              maxLength={100}
            />
            <Button type="submit" name="intent" value="set" variant="default">
              {t('flags.save')}
            </Button>
          </Form>
        </details>
      </div>
    </Section>
  );
}
