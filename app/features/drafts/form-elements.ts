import type { FormValues } from '~/app/lib/check-form';

/** Texts that differ from what a form was rendered with: typed before the scripts arrived. */
export function typedInto(form: HTMLFormElement | null, rendered: FormValues): FormValues {
  if (!form) return {};
  const entries = [...new FormData(form).entries()].filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[0] in rendered && entry[1] !== rendered[entry[0]],
  );
  return Object.fromEntries(entries);
}

/** Brings the first field that is at fault into view and gives it the focus, in the order of the page. */
export function focusFirstFault(form: HTMLFormElement | null, faults: Record<string, string>): void {
  if (!form) return;
  const places = [...form.querySelectorAll<HTMLElement>('[name], [data-field]')];
  const place = places.find((element) => {
    const name = element.dataset.field ?? element.getAttribute('name');
    return name !== null && name in faults && !(element instanceof HTMLInputElement && element.type === 'hidden');
  });
  if (place) openAround(place);
  // the error's text is rendered with the next frame
  requestAnimationFrame(() => {
    place?.focus({ preventScroll: true });
    place?.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
}

function openAround(place: HTMLElement): void {
  const folded = place.closest('details');
  if (folded) folded.open = true;
}
