import type { FormValues } from './check-form';
import type { Door } from './doors.server';

/** Submits one form of a page. @returns the name of the message that confirms it */
export type Section<Done = string> = (door: Door, values: FormValues) => Promise<Done>;

/**
 * The action of a page with several forms: the `intent` of each form names its section. @throws 400 for an unknown
 * intent
 */
export function sectionAction<Done = string>(sections: Record<string, Section<Done>>): Section<Done> {
  return (door, { intent = '', ...values }) => {
    const submit = Object.hasOwn(sections, intent) ? sections[intent] : undefined;
    // a Response, which `form` passes on
    if (!submit) throw Response.json({ message: door.context.translate('errors:common.not_a_form') }, { status: 400 });
    return submit(door, values);
  };
}
