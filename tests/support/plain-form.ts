/** The fields that a browser without JavaScript sends with the form that has a button, before anything is changed. */
export function fieldsOf(html: string, button: string): URLSearchParams {
  const [form = ''] = [...html.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)]
    .map(([found]) => found)
    .filter((found) => found.includes(button));
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    const name = attribute('name');
    const isLeftOut = /radio|checkbox/.test(attribute('type') ?? '') && !/ checked/.test(tag);
    if (name && !isLeftOut) fields.append(name, attribute('value') ?? '');
  }
  return fields;
}
