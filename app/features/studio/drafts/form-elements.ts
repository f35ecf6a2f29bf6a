import type { FieldErrors, FormValues } from '~/app/lib/check-form';

/** The values that the user typed before hydration, which differ from the rendered ones. */
export function typedBeforeHydration(form: HTMLFormElement | null, rendered: FormValues): FormValues {
  if (!form) return {};
  // if several fields have one name, the last counts: a ticked box follows its hidden 'false'
  const last = Object.entries(Object.fromEntries(new FormData(form)));
  const entries = last.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[0] in rendered && !isSame(entry[1], rendered[entry[0]]),
  );
  return Object.fromEntries(entries);
}

/** A ticked box sends `on`, whatever its value was. */
const isSame = (sent: string, value: string | undefined) => sent === value || (sent === 'on' && value === 'true');

/** Focuses the first field with an error, in page order, and scrolls it into view. */
export function focusFirstError(form: HTMLFormElement | null, errors: FieldErrors): void {
  if (!form) return;
  const fields = [...form.querySelectorAll<HTMLElement>('[name], [data-field]')];
  const field = fields.find((element) => {
    const name = element.dataset.field ?? element.getAttribute('name');
    return name !== null && name in errors && !(element instanceof HTMLInputElement && element.type === 'hidden');
  });
  if (field) openParentDetails(field);
  // React renders the error text with the next frame
  requestAnimationFrame(() => {
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
}

function openParentDetails(field: HTMLElement): void {
  const details = field.closest('details');
  if (details) details.open = true;
}
