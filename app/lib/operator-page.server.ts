import { DONE_PARAM, withDoneMessage } from './done-message';
import { type Door, form, page } from './doors.server';
import { type Section, sectionAction } from './section-action.server';
import { translator } from './texts.server';

/**
 * Makes a loader for operators with a second factor; other users get a 404. `found` is null until the operator has
 * proven the second factor in this session.
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

/** Makes the action of such a page. Each section does one thing, and then the same page confirms it. */
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
