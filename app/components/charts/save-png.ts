import { drawLegend } from './picture-legend';
import { svgElement, withAttributes } from './svg-element';

/** What a picture must know of a drawing's styles, which an image can't load. All of them are attributes of SVG, too. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'vector-effect',
  'paint-order',
  'opacity',
  'display',
  'overflow',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];
const MARGIN = 24;
const TITLE = 30;
const CAPTION = 24;
/** Between the head of a picture and its drawing. */
const GAP = 16;
/** Sharp on screens with two pixels for each point, and in print. */
const SCALE = 2;

/** `caption`: what the chart is about. `legend`: the items of its legend, as the page shows them. */
type Picture = { title: string; caption: string; legend: readonly Element[]; fileName: string };

/** Saves a drawing of the page as a picture that explains itself, in the colours in which it is shown. */
export async function savePng(drawing: SVGSVGElement, { title, caption, legend, fileName }: Picture): Promise<void> {
  const box = drawing.getBoundingClientRect();
  const beside = widthBeside(drawing, box);
  const width = box.width + beside;
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  keepStyles(drawing, copy);
  await includeShapes(copy);
  const page = getComputedStyle(document.documentElement);
  const sheet = svgElement('svg');
  const ground = svgElement('rect', { fill: page.getPropertyValue('--ground') });
  const color = page.getPropertyValue('--text-soft');
  const name = { 'font-size': 20, 'font-weight': 700, fill: page.getPropertyValue('--text') };
  sheet.append(ground, textOf(title, MARGIN + 18, name));
  let y = MARGIN + TITLE;
  if (caption !== '') {
    sheet.append(textOf(caption, y + 14, { 'font-size': 14, fill: color }));
    y += CAPTION;
  }
  y += drawLegend(sheet, legend, { x: MARGIN, y, width, color }) + GAP;
  sheet.append(
    withAttributes(copy, { x: MARGIN + beside, y, width: box.width, height: box.height, overflow: 'visible' }),
  );
  const size = { width: width + 2 * MARGIN, height: y + box.height + MARGIN };
  withAttributes(ground, size);
  withAttributes(sheet, size);
  download(await toPng(sheet, size), fileName);
}

/** The names of rows are to the left of a heat map. */
function widthBeside(drawing: SVGSVGElement, { left }: DOMRect): number {
  const names = [...drawing.querySelectorAll('text')].map((name) => name.getBoundingClientRect());
  return Math.max(0, ...names.filter(({ width }) => width > 0).map((name) => left - name.left));
}

function textOf(text: string, y: number, style: Record<string, string | number>): SVGElement {
  const element = svgElement('text', { x: MARGIN, y, 'font-family': 'sans-serif', ...style });
  element.textContent = text;
  return element;
}

function keepStyles(from: Element, to: Element): void {
  const styles = getComputedStyle(from);
  for (const name of STYLES) to.setAttribute(name, styles.getPropertyValue(name));
  for (const [i, child] of [...from.children].entries()) keepStyles(child, to.children[i]!);
}

/** An image loads no other files, so the shapes that a drawing uses become part of it. */
async function includeShapes(drawing: SVGSVGElement): Promise<void> {
  const uses = [...drawing.querySelectorAll('use')];
  const [file] = uses[0]?.getAttribute('href')?.split('#') ?? [];
  if (!file) return;
  const text = await (await fetch(file)).text();
  const shapes = new DOMParser().parseFromString(text, 'image/svg+xml');
  for (const use of uses) {
    const id = use.getAttribute('href')?.split('#')[1] ?? '';
    const shape = shapes.getElementById(id)?.cloneNode(true) as Element | undefined;
    if (shape) use.replaceWith(shape);
    for (const name of STYLES) shape?.setAttribute(name, use.getAttribute(name) ?? '');
  }
}

async function toPng(sheet: SVGElement, { width, height }: { width: number; height: number }): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(sheet))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture')))));
}

function download(file: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
