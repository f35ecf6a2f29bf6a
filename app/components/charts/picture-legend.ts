import { svgElement } from './svg-element';

const ROW = 24;
const SIZE = 14;
const GAP = 18;
/** Between a colour and its name. */
const BESIDE = 7;
const DASHES: Record<string, string> = { dashed: '5 4', dotted: '2 4', double: '10 4' };

type Place = { x: number; y: number; width: number; color: string };

/** Draws the items of a legend in rows: their first element is a line or a colour. @returns the height of all rows */
export function drawLegend(sheet: SVGElement, items: readonly Element[], { x, y, width, color }: Place): number {
  let [left, row] = [x, 0];
  for (const item of items) {
    const name = item.textContent ?? '';
    const sign = item.firstElementChild;
    const signWidth = sign ? sign.getBoundingClientRect().width + BESIDE : 0;
    const used = signWidth + widthOf(name);
    if (left > x && left + used > x + width) [left, row] = [x, row + 1];
    const middle = y + row * ROW + ROW / 2;
    if (sign) sheet.append(signOf(sign, left, middle));
    const text = svgElement('text', { x: left + signWidth, y: middle + 5, fill: color, 'font-size': SIZE });
    text.setAttribute('font-family', 'sans-serif');
    text.textContent = name;
    sheet.append(text);
    left += used + GAP;
  }
  return items.length === 0 ? 0 : (row + 1) * ROW;
}

function signOf(sign: Element, x: number, middle: number): SVGElement {
  const style = getComputedStyle(sign);
  // without the space that a turned shape takes
  const [width, height] = [Number.parseFloat(style.width), Number.parseFloat(style.height)];
  if (Number.parseFloat(style.borderTopWidth) > 0) {
    const line = { x1: x, x2: x + width, y1: middle, y2: middle, stroke: style.borderTopColor, 'stroke-width': 2 };
    return svgElement('line', { ...line, 'stroke-dasharray': DASHES[style.borderTopStyle] ?? 'none' });
  }
  const turned = style.rotate === 'none' ? 0 : Number.parseFloat(style.rotate);
  return svgElement('rect', {
    ...{ x, y: middle - height / 2, width, height, fill: style.backgroundColor },
    rx: style.borderRadius.endsWith('%') ? width / 2 : Number.parseFloat(style.borderRadius) || 0,
    transform: `rotate(${turned} ${x + width / 2} ${middle})`,
  });
}

function widthOf(text: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return text.length * SIZE;
  context.font = `${SIZE}px sans-serif`;
  return context.measureText(text).width;
}
