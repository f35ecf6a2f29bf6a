import type { Door } from './doors.server';

type Values = Record<string, string>;
/** Submits one form of a page. @returns the name of the message that says what was done */
export type Section<Done = string> = (door: Door, values: Values) => Promise<Done>;

/**
 * The action of a page with several forms: `intent`, which each sends, names the one. @throws 400 for an unknown intent
 */
export function sectionAction<Done = string>(sections: Record<string, Section<Done>>): Section<Done> {
  return (door, { intent = '', ...values }) => {
    const submit = Object.hasOwn(sections, intent) ? sections[intent] : undefined;
    // a Response, which the door of the form passes on
    if (!submit) throw Response.json({ message: door.context.translate('errors:common.not_a_form') }, { status: 400 });
    return submit(door, values);
  };
}
