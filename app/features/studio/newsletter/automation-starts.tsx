import { Button } from '~/app/components/button';
import { SelectField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { AUTOMATION_TRIGGERS } from '~/db/values/automations';
import { formatNumber } from '~/server/base/formats';
import type { EditionChoices } from '~/server/domain/newsletter/edition-choices';
import { AUTOMATION_STARTS, STARTS } from '~/server/domain/newsletter/rules';
import { AUTOMATION_LIMITS } from '~/server/limits/newsletter';
import classes from './newsletter.module.css';

type Props = {
  count: number;
  mayReadBuyers: boolean;
  shows: EditionChoices['shows'];
  failure?: FormFailure;
};

/** What a new automation can start with: written texts, or an empty page. */
export function AutomationStarts({ count, mayReadBuyers, shows, failure }: Props) {
  const { t, locale } = useTranslation('automations');
  if (count >= AUTOMATION_LIMITS.automations)
    return <p className={classes.fact}>{t('start.full', { count, number: formatNumber(count, locale) })}</p>;
  const isOpen = (trigger: string) => mayReadBuyers || trigger === 'sign_up';
  const starts = AUTOMATION_STARTS.filter((start) => isOpen(STARTS[start].trigger));
  const triggers = AUTOMATION_TRIGGERS.filter(isOpen);
  return (
    <Section title={t('new')}>
      <ul className={classes.starts}>
        {starts.map((start) => (
          <li key={start}>
            <h3>{t(`start.${start}`)}</h3>
            <p>{t(`start.${start}Text`)}</p>
            <Form method="post">
              <input type="hidden" name="trigger" value={STARTS[start].trigger} />
              <input type="hidden" name="start" value={start} />
              <Button
                type="submit"
                name="intent"
                value="create"
                variant="default"
                aria-label={t('start.useOf', { name: t(`start.${start}`) })}
              >
                {t('start.use')}
              </Button>
            </Form>
          </li>
        ))}
        <li>
          <h3>{t('start.empty')}</h3>
          <p>{t('start.emptyText')}</p>
          <IntentForm
            intent="create"
            initial={{ trigger: 'sign_up', product: '' }}
            failure={failure}
            submit={t('start.create')}
            quiet
          >
            <SelectField
              name="trigger"
              label={t('field.trigger')}
              choices={triggers.map((trigger) => ({ value: trigger, label: t(`field.trigger.${trigger}`) }))}
            />
            {shows.length > 0 && (
              <SelectField
                name="product"
                label={t('field.show')}
                help={t('field.showHelp')}
                choices={[
                  { value: '', label: t('field.anyShow') },
                  ...shows.map(({ slug, name }) => ({ value: slug, label: name })),
                ]}
              />
            )}
          </IntentForm>
        </li>
      </ul>
    </Section>
  );
}
