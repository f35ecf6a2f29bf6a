import { useMemo } from 'react';
import { Button } from '~/app/components/button';
import { CheckField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { SectionForm } from '~/app/features/listener/account/section-form';
import classes from '~/app/features/listener/account/settings.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { Form, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { OPTIONAL_TOPICS, type OptionalTopic } from '~/server/domain/notifications/kinds';

export const loader = page(async ({ api, context }) => ({
  settings: await api.accounts.notifications(),
  hasPage: (await api.creators.mine()) !== null,
  stopped: await api.buyers.stopped(),
  transcribes: context.settings.transcribes,
  title: translator(context.language, 'account')('tabs.notifications'),
}));

export const action = form(
  sectionAction({
    notifications: async ({ api }, values) => {
      await api.accounts.updateNotifications(values as never);
      return 'notifications_saved';
    },
    allow: async ({ api }, { creatorId = '' }) => {
      await api.buyers.allowMessages({ creatorId });
      return 'messages_allowed';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).notifications, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

/** Topics about shows, donations and sales, which listeners without a page do not have. */
const OF_CREATORS: string[] = [
  'donation_received',
  'new_buyer',
  'month_report',
  'recommendation',
  'transcription',
] satisfies OptionalTopic[];

/** The optional emails that the user receives. */
export default function Notifications() {
  const { t } = useTranslation('account');
  const { settings, hasPage, stopped, transcribes } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const initial = useMemo(() => {
    const entries = Object.entries(settings).map(([topic, isOn]) => [topic, isOn ? 'on' : 'false']);
    return Object.fromEntries(entries) as Record<string, string>;
  }, [settings]);
  const isHidden = (topic: string) =>
    (!hasPage && OF_CREATORS.includes(topic)) || (!transcribes && topic === 'transcription');
  return (
    <div className={classes.sections}>
      <SectionForm
        intent="notifications"
        title={t('notifications.title')}
        initial={initial}
        failure={failure}
        submit={t('notifications.save')}
      >
        {[...OPTIONAL_TOPICS, 'marketing']
          .filter((topic) => !isHidden(topic))
          .map((topic) => (
            <CheckField
              key={topic}
              name={topic}
              label={t(`notifications.${topic}`)}
              help={t(`notifications.${topic}Help`)}
            />
          ))}
        {OPTIONAL_TOPICS.filter(isHidden).map((topic) => (
          <input key={topic} type="hidden" name={topic} value={initial[topic]} />
        ))}
        <p className={classes.fact}>{t('notifications.necessary')}</p>
      </SectionForm>
      {stopped.length > 0 && <StoppedCreators creators={stopped} />}
    </div>
  );
}

/** The creators whose messages the user has stopped by the link in one of them. */
function StoppedCreators({ creators }: { creators: { creatorId: number; name: string }[] }) {
  const { t } = useTranslation('account');
  return (
    <Section title={t('notifications.stopped')}>
      <p className={classes.fact}>{t('notifications.stoppedHelp')}</p>
      {creators.map(({ creatorId, name }) => (
        <Form key={creatorId} method="post" className={classes.row}>
          <input type="hidden" name="creatorId" value={creatorId} />
          <strong dir="auto">{name}</strong>
          <Button type="submit" name="intent" value="allow" variant="default" size="compact-md">
            {t('notifications.allow')}
          </Button>
        </Form>
      ))}
    </Section>
  );
}
