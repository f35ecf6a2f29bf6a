import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Button } from '~/app/components/button';
import type { Choice } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { type UploadWait, useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useSearchParams } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { KIND_NAMES, type KindName } from '~/server/domain/products/kinds';
import { createProduct } from '~/server/domain/products/schema';
import { PriceFields } from './price-fields';
import { checkPrices, PRICE_ERRORS, priceValues } from './price-values';
import { AboutFields, CoverField, KindField, ListingFields, NameField, SlugField } from './product-fields';
import { type PreviewLook, ProductPreview } from './product-preview';
import classes from './wizard.module.css';
import { CREATE_REQUIRED, STEP_PARAM, STEPS, type StepName, stepErrors, stepIn, stepOf } from './wizard-steps';

const FORM = 'product-create';

type Props = {
  kind?: KindName;
  languages: Choice[];
  /** The URL of the creator's products, up to the slug. */
  base: string;
  look: PreviewLook;
  failure?: FormFailure;
};

/** Creates a show in steps, beside a preview of its page. Without JavaScript, one form has all steps. */
export function CreateWizard({ kind, languages, base, look, failure }: Props) {
  const { language } = useTranslation('product');
  const { t: tError } = useTranslation('errors');
  const { user } = useStudio();
  const initial = useMemo(() => initialValues(kind, language, user.currency), [kind, language, user.currency]);
  const cover = useUpload(FORM, 'coverKey', 'cover');
  const wait = useUploadWait({ coverKey: cover });
  return (
    <DraftForm
      form={FORM}
      initial={initial}
      schema={createProduct}
      required={CREATE_REQUIRED}
      failure={failure}
      check={(values) => checkPrices(values, tError, language)}
      sharedErrors={PRICE_ERRORS}
      ignoreFields={wait.underway}
      beforeSubmit={wait.beforeSubmit}
      onSubmitted={wait.forget}
      aside={<ProductPreview look={look} cover={cover.transfer} base={base} />}
    >
      <Steps
        wait={wait}
        steps={{
          kind: [<KindField key="kind" />, <NameField key="name" />],
          about: [<AboutFields key="about" languages={languages} />, <CoverField key="cover" cover={cover} />],
          price: <PriceFields />,
          address: [<SlugField key="slug" base={base} product={null} />, <ListingFields key="listing" />],
        }}
      />
    </DraftForm>
  );
}

/** The URL holds the current step, so that the browser's back button leads to the previous one. */
function Steps({ wait, steps }: { wait: UploadWait; steps: Record<StepName, ReactNode> }) {
  const { t } = useTranslation('product');
  const { current, goTo, next, frame } = useSteps(wait.underway);
  const isLast = current === STEPS.length - 1;

  function onKeyDown(event: KeyboardEvent) {
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key !== 'Enter' || isLast || !isField) return;
    event.preventDefault();
    next();
  }

  return (
    <div className={classes.wizard} ref={frame}>
      <Progress current={current} goTo={goTo} />
      {STEPS.map(({ name }, i) => (
        <section
          key={name}
          className={classes.step}
          data-current={i === current || undefined}
          onKeyDown={onKeyDown}
          aria-labelledby={`step-${name}`}
        >
          <h2 id={`step-${name}`} tabIndex={-1}>
            {t(`step.${name}`)}
          </h2>
          {steps[name]}
        </section>
      ))}
      <div className={classes.actions}>
        {current > 0 && (
          <Button type="button" variant="default" data-needs-script onClick={() => goTo(current - 1)}>
            {t('step.back')}
          </Button>
        )}
        {!isLast && (
          <Button type="button" data-needs-script onClick={next}>
            {t('step.next')}
          </Button>
        )}
        <div className={classes.submit} data-current={isLast || undefined}>
          <SubmitBar wait={wait} label={t('form.create')} />
        </div>
      </div>
    </div>
  );
}

function Progress({ current, goTo }: { current: number; goTo: (step: number) => void }) {
  const { t } = useTranslation('product');
  return (
    <ol className={classes.progress} aria-label={t('step.progress')} data-needs-script>
      {STEPS.map(({ name }, i) => (
        <li key={name} aria-current={i === current ? 'step' : undefined} data-done={i < current || undefined}>
          <button type="button" onClick={() => goTo(i)} disabled={i > current}>
            {t(`step.${name}`)}
          </button>
        </li>
      ))}
    </ol>
  );
}

function useSteps(ignore: readonly string[]) {
  const { t, language } = useTranslation('errors');
  const { values, errors, setError } = useFormState();
  const [params, setParams] = useSearchParams();
  const current = stepIn(params);
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(current);

  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    const step = frame.current?.querySelector<HTMLElement>('section[data-current]');
    (step?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? step?.querySelector('h2'))?.focus();
  }, [current]);

  function goTo(step: number) {
    const name = STEPS[step]?.name ?? STEPS[0].name;
    setParams(
      (before) => new URLSearchParams([...before].filter(([key]) => key !== STEP_PARAM).concat([[STEP_PARAM, name]])),
    );
  }

  function next() {
    const found = Object.entries(stepErrors(current, values, { t, language, ignore }));
    for (const [name, message] of found) setError(name, message);
    const [first] = found;
    if (!first) return goTo(current + 1);
    frame.current
      ?.querySelector<HTMLElement>(
        `[data-current] [name="${first[0]}"]:not([type=hidden]), [data-current] [data-field="${first[0]}"]`,
      )
      ?.focus();
  }

  useErrorStep(Object.keys(errors), current, goTo);
  return { current, goTo, next, frame };
}

/** Shows the first step with an error when the server refused the form, but not while the user corrects it. */
function useErrorStep(fields: string[], current: number, goTo: (step: number) => void) {
  const known = useRef(0);
  useEffect(() => {
    const isNew = fields.length > known.current;
    known.current = fields.length;
    const step = stepOf(fields);
    if (isNew && step !== -1 && step < current) goTo(step);
  });
}

function initialValues(kind: KindName = KIND_NAMES[0], language: string, currency: 'eur' | 'usd') {
  return {
    kind,
    name: '',
    description: '',
    category: '',
    language,
    coverKey: '',
    ...priceValues(null, currency),
    hideSubscribeButton: 'false',
    paysWhatTheyWant: 'false',
    trialDays: '0',
    slug: '',
    isListed: 'on',
    explicit: 'false',
  };
}
