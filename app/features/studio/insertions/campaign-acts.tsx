import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { SubmitButton } from '~/app/components/submit-button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { CampaignDetails } from '~/server/domain/insertions/campaign-list';
import classes from './insertions.module.css';

type Props = { campaign: Pick<CampaignDetails, 'name' | 'state' | 'isActive'> };

const mayBeSwitched = ({ state }: Props['campaign']) => state !== 'ended' && state !== 'draft';

/** Switches a campaign on or off; nothing for one that can't be switched. */
export function CampaignSwitch({ campaign }: Props) {
  const { t } = useTranslation('campaigns');
  if (!mayBeSwitched(campaign)) return null;
  const toggle = campaign.isActive ? 'off' : 'on';
  return (
    <Form method="post">
      <SubmitButton intent={toggle} quiet>
        {t(`toggle.${toggle}`)}
      </SubmitButton>
    </Form>
  );
}

/** Ends and deletes a campaign, each after a second click that repeats what is lost. */
export function CampaignEnd({ campaign }: Props) {
  const { t } = useTranslation('campaigns');
  const { name, state, isActive } = campaign;
  const mayEnd = mayBeSwitched(campaign);
  return (
    <div className={classes.end}>
      <Section title={t(mayEnd ? 'endOrDelete' : 'delete')}>
        <ul className={classes.ends}>
          {mayEnd && (
            <li>
              <p>{t('endText', { name })}</p>
              <Disclosure button={t('end')} isDangerous>
                <Form method="post" className={classes.confirm}>
                  <IntentButton intent="end" isDangerous>
                    {t('endNow')}
                  </IntentButton>
                  {isActive && <IntentButton intent="off">{t('offInstead')}</IntentButton>}
                </Form>
              </Disclosure>
            </li>
          )}
          <li>
            <p>{t(state === 'ended' ? 'deleteEndedText' : 'deleteText', { name })}</p>
            <Disclosure button={t('delete')} isDangerous>
              <Form method="post" className={classes.confirm}>
                <IntentButton intent="delete" isDangerous>
                  {t('deleteNow')}
                </IntentButton>
              </Form>
            </Disclosure>
          </li>
        </ul>
      </Section>
    </div>
  );
}
