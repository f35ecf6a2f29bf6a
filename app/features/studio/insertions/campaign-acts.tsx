import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { SubmitButton } from '~/app/components/submit-button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { CampaignDetails } from '~/server/domain/insertions/campaign-list';

/** Switches a campaign on and off, ends it and deletes it. */
export function CampaignActs({ name, state, isActive }: Pick<CampaignDetails, 'name' | 'state' | 'isActive'>) {
  const { t } = useTranslation('campaigns');
  const toggle = isActive ? 'off' : 'on';
  return (
    <>
      {state !== 'ended' && state !== 'draft' && (
        <>
          <Form method="post">
            <SubmitButton intent={toggle} quiet>
              {t(`toggle.${toggle}`)}
            </SubmitButton>
          </Form>
          <Disclosure button={t('end')} isDangerous>
            <p>{t('endText', { name })}</p>
            <Form method="post">
              <IntentButton intent="end" isDangerous>
                {t('endNow')}
              </IntentButton>
            </Form>
          </Disclosure>
        </>
      )}
      <Disclosure button={t('delete')} isDangerous>
        <p>{t('deleteText', { name })}</p>
        <Form method="post">
          <IntentButton intent="delete" isDangerous>
            {t('deleteNow')}
          </IntentButton>
        </Form>
      </Disclosure>
    </>
  );
}
