import { FormStateProvider, STATIC_FORM } from '~/app/components/form-context';
import { PlainCheckField, PlainSelectField } from '~/app/features/listener/auth/plain-fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ConsentView } from '~/server/domain/apps/connect-app';
import { scopeText } from './app-texts';
import { scopeField } from './consent-fields';
import { type ConsentProof, ConsentProofField } from './consent-proof';

type Props = {
  request: Pick<ConsentView, 'scopes' | 'workplaces' | 'audience'>;
  proof: ConsentProof;
  failure: FormFailure | undefined;
};

/**
 * What the app may do, for the person to choose. Sent as a document, even with JavaScript, because its answer leads to
 * another site by a header.
 */
export function ConsentForm({ request, proof, failure }: Props) {
  const { t } = useTranslation('apps');
  const { scopes, workplaces, audience } = request;
  const current = workplaces.find(({ isCurrent }) => isCurrent) ?? workplaces[0];
  const fields = Object.entries(failure?.fields ?? {});
  const errors = Object.fromEntries(fields.map(([name, messages]) => [name, messages.join(' ')]));
  return (
    <FormStateProvider value={{ ...STATIC_FORM, errors, values: failure?.values ?? {} }}>
      <Form method="post" className="form" reloadDocument>
        {failure?.message && (
          <p className="notice bad" role="alert">
            {failure.message}
          </p>
        )}
        {workplaces.length > 1 ? (
          <PlainSelectField
            name="creatorId"
            label={t('consent.creator')}
            defaultValue={String(current?.creatorId)}
            options={workplaces.map(({ creatorId, name }) => ({ value: String(creatorId), label: name }))}
          />
        ) : (
          <input type="hidden" name="creatorId" value={current?.creatorId} />
        )}
        <fieldset className="choices">
          <legend>
            {workplaces.length > 1 ? t('consent.may') : t('consent.mayFor', { creator: current?.name ?? '' })}
          </legend>
          {scopes.map((scope) => (
            <PlainCheckField key={scope} name={scopeField(scope)} label={scopeText(scope, audience, t)} isTicked />
          ))}
        </fieldset>
        <p className="muted">{t('consent.role')}</p>
        <ConsentProofField proof={proof} />
        <button className="button" type="submit" name="intent" value="connect">
          {t('consent.connect')}
        </button>{' '}
        <button className="button plain" type="submit" name="intent" value="decline">
          {t('consent.decline')}
        </button>
      </Form>
    </FormStateProvider>
  );
}
