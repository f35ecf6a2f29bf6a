import { parse } from 'yaml';

/**
 * Reads YAML. Apart, because only installations that show texts load the parser; a dynamic import of the package itself
 * would have no named exports once it is bundled.
 * @throws Error that says what is wrong
 */
export function readYaml(text: string): unknown {
  // aliases could repeat a part a million times
  return parse(text, { maxAliasCount: 0 });
}
