import { TextAreaField } from '~/app/components/fields';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { SectionForm } from '~/app/features/listener/account/section-form';
import { Overdue, Payments, Removal } from '~/app/features/studio/sales/buyer-details';
import { BuyerState, formatDay } from '~/app/features/studio/sales/buyer-list';
import { MessageForm } from '~/app/features/studio/sales/message-form';
import { PauseForm } from '~/app/features/studio/sales/pause-form';
import classes from '~/app/features/studio/sales/sales.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId, productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import { KINDS } from '~/server/domain/products/kinds';
import { BUYER_LIMITS } from '~/server/limits/buyers';

const buyerRef = (door: Door) => ({ ...productRef(door), userId: parseId(door.params.userId) });

/** One subscriber or customer, with their state, payments and refunds, and a form that removes them. */
export const loader = page(async (door) => {
  const details = await door.api.buyers.get(buyerRef(door));
  return { details, title: details.buyer.name ?? details.buyer.email, messageKey: crypto.randomUUID() };
});

export const action = form(
  sectionAction({
    refund: async (door, values) => {
      const { userId: _, ...ref } = buyerRef(door);
      await door.api.buyers.refund({ ...ref, ...values } as never);
      return 'payment_refunded';
    },
    note: async (door, { note = '' }) => {
      await door.api.buyers.note({ ...buyerRef(door), note });
      return 'note_saved';
    },
    message: async (door, { key = '', subject = '', text = '' }) => {
      await door.api.buyers.message({ ...buyerRef(door), key, subject, text });
      return 'message_sent';
    },
    pause: async ({ api }, { subscription = '', months = '' }) => {
      await api.pauses.pause({ id: subscription, months });
      return 'paused';
    },
    resume: async ({ api }, { subscription = '' }) => {
      await api.pauses.end({ id: subscription });
      return 'pause_ended';
    },
    remove: async (door) => {
      await door.api.buyers.remove(buyerRef(door));
      return 'buyer_removed';
    },
  }),
  {
    then: (done, door) => {
      const { userId, ...ref } = buyerRef(door);
      return withDoneMessage(pathsFor(door.url).buyer(ref, userId), done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Buyer() {
  const { t, locale } = useTranslation('buyers');
  const { details, messageKey } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const { show, buyer, canManage } = details;
  const { name, email, since, revenueMinor, currency } = buyer;
  const hasAccess = buyer.state !== 'ended' && buyer.state !== 'giver';
  const facts = [
    { name: t('column.state'), value: <BuyerState buyer={buyer} /> },
    { name: t('column.since'), value: formatDay(since, locale) },
    { name: t('column.revenue'), value: formatMoney({ minor: revenueMinor, currency }, locale) },
    { name: t('email'), value: <a href={`mailto:${email}`}>{email}</a> },
  ];
  const back = `${t(`title.${KINDS[show.kind].buyers}`)}: ${show.name}`;
  return (
    <>
      <PageHeader title={name || email} back={<Link to={paths.buyers(show)}>{back}</Link>} />
      <dl className={classes.facts}>
        {facts.map(({ name: label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {details.overdue && <Overdue overdue={details.overdue} isUnconfirmed={buyer.isUnconfirmed} />}
      <div className={classes.columns}>
        <div className={classes.sections}>
          <Payments details={details} failure={failure} />
          {details.pause && (
            <PauseForm
              pause={details.pause}
              failure={/^(?:pause|resume)$/.test(failure?.values.intent ?? '') ? failure : undefined}
            />
          )}
          {canManage && hasAccess && <Removal details={details} />}
        </div>
        <div className={classes.sections}>
          <div id="team-note">
            <SectionForm
              intent="note"
              title={t('note.title')}
              initial={{ note: details.note }}
              failure={failure}
              submit={t('note.save')}
              quiet
              anchor="team-note"
            >
              <TextAreaField
                name="note"
                label={t('note.label')}
                help={t('note.help')}
                rows={3}
                maxLength={BUYER_LIMITS.note}
              />
            </SectionForm>
          </div>
          {details.messages && <MessageForm messages={details.messages} formKey={messageKey} failure={failure} />}
        </div>
      </div>
    </>
  );
}
