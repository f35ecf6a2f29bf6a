import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './insertions.module.css';

/** Where a paid show promises its subscribers that they hear no insertions, or takes the promise back. */
export function PromiseForm({ isPromised, canManage }: { isPromised: boolean; canManage: boolean }) {
  const { t } = useTranslation('campaigns');
  return (
    <section className={classes.promise} aria-labelledby="promise">
      <SectionTitle id="promise">{t('promise.title')}</SectionTitle>
      <p>{t(isPromised ? 'promise.made' : 'promise.text')}</p>
      {canManage && (
        <Form method="post">
          <SubmitButton intent={isPromised ? 'takeBack' : 'promise'} quiet>
            {t(isPromised ? 'promise.end' : 'promise.make')}
          </SubmitButton>
        </Form>
      )}
    </section>
  );
}
