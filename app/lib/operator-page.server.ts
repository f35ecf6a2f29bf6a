import { DONE_PARAM, withDoneMessage } from './done-message';
import { type Door, form, page } from './doors.server';
import { type Section, sectionAction } from './section-action.server';
import { translator } from './texts.server';

/**
 * A loader for operators with a second factor; everybody else finds no page here. `found` is null until the second factor
 * is proven in this session.
 */
export const operatorPage = <Found>(title: string, load: (door: Door) => Promise<Found>) =>
  page(async (door) => {
    const { api, context } = door;
    const proof = await api.operators.proof();
    const shown = { title: translator(context.language, 'admin')(title), needsSetUp: proof === 'set_up' };
    if (proof === 'set_up') return { ...shown, confirming: null, found: null };
    if (proof) return { ...shown, confirming: { proof, state: await api.accounts.secondFactor() }, found: null };
    return { ...shown, confirming: null, found: await load(door) };
  });

/** The action of such a page. Each section does one thing; afterwards the same page says that it is done. */
export function operatorAction(sections: Record<string, (door: Door, values: Record<string, string>) => unknown>) {
  const wrapped = Object.entries(sections).map(([intent, submit]): [string, Section] => [
    intent,
    async (door, values) => {
      await submit(door, values);
      return 'operation_done';
    },
  ]);
  const confirm: Section = async ({ api }, values) => {
    await api.accounts.confirmIdentity(values as never);
    return 'operation_done';
  };
  return form(sectionAction({ ...Object.fromEntries(wrapped), confirm }), {
    then: (done, { url }) => {
      url.searchParams.delete(DONE_PARAM);
      return withDoneMessage(url.pathname.replace(/\.data$/, '') + url.search, done);
    },
  });
}
