import { hasSpecialCharacters, toOneLine } from '../text';

export type Attributes = Record<string, string | number | boolean | undefined>;

/** Writes an element of plain text, trimmed, because apps show the white space around a value. */
export function textElement(name: string, text: string, attributes?: Attributes): string {
  return `<${name}${attributes ? formatAttributes(attributes) : ''}>${escapeText(text)}</${name}>\n`;
}

/** Writes a value that we generate (number, date, keyword), so nothing in it needs escaping. */
export function rawElement(name: string, value: string | number | boolean): string {
  return `<${name}>${value}</${name}>\n`;
}

export function emptyElement(name: string, attributes: Attributes): string {
  return `<${name}${formatAttributes(attributes)}/>\n`;
}

/** Writes HTML in a CDATA section; a `]]>` in it is split over two sections. */
export function htmlElement(name: string, html: string): string {
  return `<${name}><![CDATA[${html.includes(']]>') ? html.replaceAll(']]>', ']]]]><![CDATA[>') : html}]]></${name}>\n`;
}

export function parentElement(name: string, children: string, attributes?: Attributes): string {
  return `<${name}${attributes ? formatAttributes(attributes) : ''}>${children.trimEnd()}</${name}>\n`;
}

function formatAttributes(attributes: Attributes): string {
  let text = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) text += ` ${name}="${typeof value === 'string' ? escapeAttribute(value) : value}"`;
  }
  return text;
}

function escapeAttribute(value: string): string {
  return hasSpecialCharacters(value) ? escapeXml(toOneLine(value)).replaceAll('"', '&quot;') : value;
}

function escapeText(text: string): string {
  return hasSpecialCharacters(text) ? escapeXml(toOneLine(text)) : text;
}

/**
 * Not `escapeHtml`: XML text needs no escaped quotes, and some apps show a reference such as `&#39;` in a title
 * undecoded. An attribute value, which we always write in double quotes, needs `"` escaped as well.
 */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
