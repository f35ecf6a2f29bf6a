import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { RequestBlocks } from '~/server/domain/recommendations/block-requests';
import classes from './recommendations.module.css';

/** The switch for all requests, and the creators whose requests are refused. */
export function BlockedCreators({ isClosed, blocked }: RequestBlocks) {
  const { t } = useTranslation('recommending');
  return (
    <Section title={t('requests.title')}>
      <div className={classes.requests}>
        <p>{t(isClosed ? 'requests.closed' : 'requests.open')}</p>
        <Form method="post">
          <IntentButton intent={isClosed ? 'unblock' : 'block'}>
            {t(isClosed ? 'requests.openAll' : 'requests.closeAll')}
          </IntentButton>
        </Form>
      </div>
      {blocked.length > 0 && (
        <ul className={classes.blocked}>
          {blocked.map(({ creatorId, name }) => (
            <li key={creatorId}>
              <div dir="auto">{t('requests.blocked', { name })}</div>
              <Form method="post">
                <input type="hidden" name="creatorId" value={creatorId} />
                <IntentButton intent="unblock" label={t('requests.unblockOf', { name })}>
                  {t('requests.unblock')}
                </IntentButton>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
