import { IntentButton } from '~/app/components/intent-button';
import { Pill } from '~/app/components/pill';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { Translate } from '~/locales/translate';
import { formatNumber } from '~/server/base/formats';
import type { AutomationItem } from '~/server/domain/newsletter/list-automations';
import classes from './newsletter.module.css';

/** Automations with their switch, the latest first. */
export function AutomationRows({ items, mayReadBuyers }: { items: AutomationItem[]; mayReadBuyers: boolean }) {
  return (
    <ul className={classes.rows}>
      {items.map((item) => (
        <AutomationRow key={item.id} item={item} maySwitch={mayReadBuyers || item.trigger === 'sign_up'} />
      ))}
    </ul>
  );
}

function AutomationRow({ item, maySwitch }: { item: AutomationItem; maySwitch: boolean }) {
  const { t, locale } = useTranslation('automations');
  const paths = usePaths();
  const { id, name, isActive, steps, enrolled } = item;
  const facts = [
    eventText(item, t),
    t('row.steps', { count: steps, number: formatNumber(steps, locale) }),
    ...(enrolled === null ? [] : [t('row.enrolled', { count: enrolled, number: formatNumber(enrolled, locale) })]),
  ];
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          <Link to={paths.automation(id)} dir="auto">
            {name}
          </Link>{' '}
          <AutomationPill {...item} />
        </p>
        <p className={classes.fact}>{facts.join(' · ')}</p>
      </div>
      {maySwitch && (
        <Form method="post">
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="isActive" value={String(!isActive)} />
          <IntentButton intent="switch" label={`${t(isActive ? 'off' : 'on')}: ${name}`}>
            {t(isActive ? 'off' : 'on')}
          </IntentButton>
        </Form>
      )}
    </li>
  );
}

export function AutomationPill({ isActive, isStopped }: Pick<AutomationItem, 'isActive' | 'isStopped'>) {
  const { t } = useTranslation('automations');
  if (isStopped) return <Pill tone="bad">{t('state.stopped')}</Pill>;
  return <Pill tone={isActive ? 'good' : 'plain'}>{t(isActive ? 'state.on' : 'state.off')}</Pill>;
}

/** What starts an automation, in a sentence. */
export function eventText({ trigger, show }: Pick<AutomationItem, 'trigger' | 'show'>, t: Translate): string {
  return show === null ? t(`trigger.${trigger}`) : t(`trigger.${trigger}Of`, { show });
}
