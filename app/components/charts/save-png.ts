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
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];
const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 24;
const TITLE = 40;
/** The names of rows are to the left of a heat map. */
const BESIDE = 44;
/** Sharp on screens with two pixels for each point, and in print. */
const SCALE = 2;

/** Saves a drawing of the page as a picture, in the colours in which it is shown. */
export async function savePng(
  drawing: SVGSVGElement,
  { title, fileName }: { title: string; fileName: string },
): Promise<void> {
  const { width, height } = drawing.getBoundingClientRect();
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  keepStyles(drawing, copy);
  await includeShapes(copy);
  set(copy, { x: MARGIN + BESIDE, y: MARGIN + TITLE, width, height, overflow: 'visible' });
  const size = { width: width + 2 * MARGIN + BESIDE, height: height + 2 * MARGIN + TITLE };
  const sheet = set(document.createElementNS(SVG, 'svg'), size);
  const page = getComputedStyle(document.documentElement);
  const ground = set(document.createElementNS(SVG, 'rect'), { ...size, fill: page.getPropertyValue('--ground') });
  const fonts = { 'font-family': 'sans-serif', 'font-size': 20, 'font-weight': 700 };
  const name = set(document.createElementNS(SVG, 'text'), { x: MARGIN, y: MARGIN + 18, ...fonts });
  name.setAttribute('fill', page.getPropertyValue('--text'));
  name.textContent = title;
  sheet.append(ground, name, copy);
  download(await toPng(sheet, size), fileName);
}

function set<T extends Element>(element: T, attributes: Record<string, string | number>): T {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
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

async function toPng(sheet: SVGSVGElement, { width, height }: { width: number; height: number }): Promise<Blob> {
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
