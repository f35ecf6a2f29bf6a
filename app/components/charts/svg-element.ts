const SVG = 'http://www.w3.org/2000/svg';

export const svgElement = (name: string, attributes: Record<string, string | number> = {}): SVGElement =>
  withAttributes(document.createElementNS(SVG, name), attributes);

export function withAttributes<T extends Element>(element: T, attributes: Record<string, string | number>): T {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
