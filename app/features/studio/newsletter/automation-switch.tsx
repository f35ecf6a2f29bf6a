import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { AutomationView } from '~/server/domain/newsletter/list-automations';
import { AutomationPill } from './automation-rows';
import classes from './newsletter.module.css';

type Props = { automation: AutomationView; mayChange: boolean; isDefined: boolean };

/** Whether an automation is on, what its switch does, and what needs attention. */
export function AutomationSwitch({ automation, mayChange, isDefined }: Props) {
  const { t } = useTranslation('automations');
  const { newsletterSettings } = usePaths();
  const { isActive, emails } = automation;
  const isPartly = isActive && emails.some(({ status }) => status !== 'sending');
  const isOverPlan = emails.some(({ counts }) => (counts?.skipped.limit ?? 0) > 0);
  return (
    <div className={classes.switch}>
      <p className={classes.state}>
        <AutomationPill {...automation} />
      </p>
      {!mayChange && <p className={classes.fact}>{t('hidden')}</p>}
      {mayChange && !isDefined && (
        <p>
          {t('undefinedText')} <Link to={newsletterSettings}>{t('toSettings')}</Link>
        </p>
      )}
      {mayChange && automation.doublesWelcome && <DoubleWelcome />}
      {automation.alike.length > 0 && (
        <Alert color="yellow" variant="light" title={t('alike')}>
          {t('alikeText', { names: automation.alike.join(', ') })}
        </Alert>
      )}
      {isOverPlan && (
        <Alert color="yellow" variant="light" title={t('limitTitle')}>
          {t('limitText')}
        </Alert>
      )}
      {mayChange && isPartly && (
        <Alert color="yellow" variant="light">
          <p>{t(automation.isStopped ? 'stopped' : 'notRunning')}</p>
          <SwitchForm isActive>{t('restart')}</SwitchForm>
        </Alert>
      )}
      {mayChange && (
        <Form method="post" className={classes.send}>
          <input type="hidden" name="isActive" value={String(!isActive)} />
          <Button type="submit" name="intent" value="switch" variant={isActive ? 'default' : 'filled'}>
            {t(isActive ? 'off' : 'on')}
          </Button>
          <p className={classes.fact}>
            {isActive && `${t('onNow')} `}
            {t(isActive ? 'offText' : 'onText')}
          </p>
        </Form>
      )}
    </div>
  );
}

function SwitchForm({ isActive, children }: { isActive: boolean; children: string }) {
  return (
    <Form method="post">
      <input type="hidden" name="isActive" value={String(isActive)} />
      <IntentButton intent="switch">{children}</IntentButton>
    </Form>
  );
}

function DoubleWelcome() {
  const { t } = useTranslation('automations');
  return (
    <Alert color="yellow" variant="light" title={t('double')}>
      <p>{t('doubleText')}</p>
      <Form method="post">
        <IntentButton intent="welcome">{t('doubleStop')}</IntentButton>
      </Form>
    </Alert>
  );
}
