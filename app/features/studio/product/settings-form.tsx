import type { ReactNode } from 'react';
import { WithSideNav } from '~/app/components/side-nav';
import { SubmitButton } from '~/app/components/submit-button';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import type { SharedErrors } from '~/app/features/studio/drafts/use-form-values';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import type { UploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import type { SettingsPage } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { SETTINGS_REQUIRED, type SettingsPart } from '~/server/domain/products/rules';
import classes from './settings.module.css';
import { SettingsLinks } from './settings-links';

type Product = { id: number; kind: KindName };

/** The links to all pages of the settings, and one of them. */
export function SettingsSection({
  product,
  page,
  children,
}: {
  product: Product;
  page: SettingsPage;
  children: ReactNode;
}) {
  const { t } = useTranslation('product');
  return (
    <WithSideNav label={t('settings.label')} links={<SettingsLinks product={product} current={page} />}>
      <section aria-labelledby="settings-title">
        <h2 className={classes.title} id="settings-title">
          {t(`settings.${page}`)}
        </h2>
        {children}
      </section>
    </WithSideNav>
  );
}

type Props = {
  part: SettingsPart;
  product: Product;
  /** The values of the part's fields. */
  initial: FormValues;
  failure?: FormFailure;
  children: ReactNode;
  check?: (values: FormValues) => FieldErrors;
  sharedErrors?: SharedErrors;
  /** Of a form with a file. */
  wait?: UploadWait;
};

/** The form of one page of the settings. Its draft and its button are its own. */
export function SettingsForm({ part, product, initial, wait, children, ...form }: Props) {
  const { t } = useTranslation('product');
  const { id, kind } = product;
  return (
    <SettingsSection product={product} page={part}>
      <DraftForm
        form={settingsFormOf(part, id)}
        initial={{ id: String(id), kind, ...initial }}
        required={SETTINGS_REQUIRED}
        rules={() => rulesOf(part)}
        {...form}
        {...wait?.formProps}
      >
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="kind" value={kind} />
        {children}
        {wait ? (
          <SubmitBar wait={wait} label={t('form.save')} />
        ) : (
          <div>
            <SubmitButton>{t('form.save')}</SubmitButton>
          </div>
        )}
      </DraftForm>
    </SettingsSection>
  );
}

export const settingsFormOf = (part: SettingsPart, id: number) => `settings-${part}-${id}`;
export const flagValue = (value: boolean) => (value ? 'on' : 'false');

const rulesOf = (part: SettingsPart) =>
  import('~/server/domain/products/schema').then(({ settingsOf }) => ({ schema: settingsOf(part) }));
