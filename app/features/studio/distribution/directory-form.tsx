import { useMemo } from 'react';
import { Button } from '~/app/components/button';
import { FieldDetails } from '~/app/components/field-details';
import { TextField } from '~/app/components/fields';
import { ExternalLinkIcon } from '~/app/components/line-icons';
import { Section } from '~/app/components/page-header';
import { SubmitButton } from '~/app/components/submit-button';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { DIRECTORIES, DIRECTORY_NAMES, type DirectoryName } from '~/server/domain/reference/directories';
import classes from './distribution.module.css';

type Product = { id: number; kind: KindName; listings: Record<string, string>; ownerEmail: string | null };
type Props = { product: Product; failure?: FormFailure };

const loadRules = () =>
  import('~/server/domain/products/schema').then(({ updateListings }) => ({ schema: updateListings }));

/** The steps for each directory, and the URL of the show's page there. One form saves all URLs. */
export function DirectoryForm({ product, failure }: Props) {
  const { t } = useTranslation('distribution');
  const initial = useMemo(
    () => Object.fromEntries(DIRECTORY_NAMES.map((name) => [name, product.listings[name] ?? ''])),
    [product.listings],
  );
  return (
    <Section title={t('list.title')} id="directories">
      <p className={classes.text}>{t('list.lead')}</p>
      <DraftForm
        form={`listings-${product.id}`}
        initial={initial}
        rules={loadRules}
        required={['id', 'kind']}
        ignoreFields={['id', 'kind']}
        failure={failure?.values.intent === 'owner' ? undefined : failure}
      >
        <ul className={classes.directories}>
          {DIRECTORY_NAMES.map((name) => (
            <Directory key={name} name={name} product={product} />
          ))}
        </ul>
        <div>
          <SubmitButton>{t('list.save')}</SubmitButton>
        </div>
      </DraftForm>
    </Section>
  );
}

function Directory({ name, product }: { name: DirectoryName; product: Product }) {
  const { t } = useTranslation('distribution');
  const { name: title, submitUrl, asksForEmail } = DIRECTORIES[name];
  const listing = product.listings[name];
  return (
    <li className={classes.directory}>
      <FieldDetails fields={[name]}>
        <summary>
          {title}
          {listing && <span className={classes.listed}>{t('list.listed')}</span>}
        </summary>
        <div className={classes.body}>
          <ol>
            {t(`steps.${name}`)
              .split('\n')
              .map((step) => (
                <li key={step}>{step}</li>
              ))}
          </ol>
          {asksForEmail && (
            <p className={classes.soft}>
              {product.ownerEmail ? t('list.email', { email: product.ownerEmail }) : t('list.noEmail')}
            </p>
          )}
          <TextField name={name} type="url" inputMode="url" label={t('list.field', { name: title })} />
          <div className={classes.row}>
            {submitUrl && <OutLink href={submitUrl}>{t('list.submit', { name: title })}</OutLink>}
            {listing && <OutLink href={listing}>{t('list.open')}</OutLink>}
          </div>
        </div>
      </FieldDetails>
    </li>
  );
}

function OutLink({ href, children }: { href: string; children: string }) {
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      variant="default"
      size="compact-md"
      rightSection={<ExternalLinkIcon />}
    >
      {children}
    </Button>
  );
}
