import { Button } from '~/app/components/button';
import { TextField } from '~/app/components/fields';
import { PageHeader } from '~/app/components/page-header';
import { SectionForm } from '~/app/features/listener/account/section-form';
import classes from '~/app/features/studio/audience/audience.module.css';
import { ContactHistory } from '~/app/features/studio/audience/contact-history';
import { ContactState } from '~/app/features/studio/audience/contact-table';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Form, Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import type { ContactAction } from '~/db/values/contacts';
import { formatDate } from '~/server/base/formats';
import { CONTACT_LIMITS } from '~/server/limits/audience';

const idOf = ({ params }: Door) => parseId(params.id);

/** One contact: what they follow and bought, how they came, what they agreed to, and the emails they got. */
export const loader = page(async (door) => {
  const found = await door.api.contacts.get({ id: idOf(door) });
  return { ...found, title: found.contact.name || found.contact.email };
});

const change = (action: ContactAction) => async (door: Door) => {
  const { batchId } = await door.api.contacts.change({ action, ids: [idOf(door)] });
  const { audience, audienceContact } = pathsFor(door.url);
  const path = action === 'delete' ? audience : audienceContact(idOf(door));
  return action === 'delete' ? `${path}?batch=${batchId}` : withDoneMessage(path, 'contact_saved');
};

export const action = form(
  sectionAction({
    save: async (door, { email, name = '', tags = '' }) => {
      await door.api.contacts.update({ id: idOf(door), email, name, tags });
      return withDoneMessage(pathsFor(door.url).audienceContact(idOf(door)), 'contact_saved');
    },
    deactivate: change('deactivate'),
    activate: change('activate'),
    delete: change('delete'),
  }),
  { then: (path) => path },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Contact() {
  const { t, locale } = useTranslation('audience');
  const { title, ...found } = useLoaderData<typeof loader>();
  const { contact } = found;
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const { email, state, statusReason, statusAt, since, months, lastSeenOn } = contact;
  const day = (at: Date) => formatDate(at, locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const facts = [
    { name: t('form.email'), value: <a href={`mailto:${email}`}>{email}</a> },
    { name: t('column.status'), value: <ContactState state={state} isByTeam={contact.isByTeam} /> },
    {
      name: t('reason'),
      value: [statusReason && t(`reason.${statusReason}`), day(statusAt)].filter(Boolean).join(' · '),
    },
    { name: t('column.since'), value: day(since) },
    {
      name: t('column.months'),
      value: months === null ? '–' : months === 0 ? t('monthsNew') : t('months', { count: months }),
    },
    ...(found.isTracked
      ? [{ name: t('column.lastSeen'), value: lastSeenOn ? day(new Date(lastSeenOn)) : t('notSeen') }]
      : []),
  ];
  return (
    <>
      <PageHeader title={title} back={<Link to={paths.audience}>{t('title')}</Link>} />
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.sections}>
        <SectionForm
          intent="save"
          title={t('form.title')}
          initial={{ email: contact.email, name: contact.name, tags: contact.tags.join(', ') }}
          failure={failure}
          submit={t('form.save')}
        >
          <TextField name="email" type="email" label={t('form.email')} autoComplete="off" />
          <TextField name="name" label={t('form.name')} maxLength={CONTACT_LIMITS.name} autoComplete="off" />
          <TextField name="tags" label={t('form.tags')} help={t('form.tagsHelp')} autoComplete="off" />
        </SectionForm>
        <ContactHistory found={found} />
      </div>
      <Form method="post" className={classes.actions}>
        {state === 'active' && (
          <Button type="submit" name="intent" value="deactivate" variant="default">
            {t('batch.deactivate')}
          </Button>
        )}
        {contact.mayActivate && (
          <Button type="submit" name="intent" value="activate" variant="default">
            {t('batch.activate')}
          </Button>
        )}
        <Button type="submit" name="intent" value="delete" color="red" variant="outline">
          {t('batch.delete')}
        </Button>
      </Form>
    </>
  );
}
