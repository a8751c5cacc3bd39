/* The board on screen as a file of its own: glyphs and colours included. */

/** Replaces every var(--x) by its present value, innermost first. */
function resolve(text: string, styles: CSSStyleDeclaration): string {
  const one = /var\((--[\w-]+)(?:,\s*([^()]*))?\)/g;
  for (let i = 0; i < 4 && text.includes('var('); i++)
    text = text.replace(one, (_, name: string, other?: string) => styles.getPropertyValue(name).trim() || other || 'none');
  return text;
}

const inherited = ['color', 'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'paint-order', 'font', 'text-anchor'];
/* These differ from place to place and stay variables. */
const local = ['--token-mark', '--glyph-cut'];

/* Styles that come from classes must travel with the elements; what an element
 * only inherits it does so in the picture, too. */
function settle(from: Element, to: Element, around: CSSStyleDeclaration | null = null): void {
  const style = getComputedStyle(from);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  if (from instanceof SVGGraphicsElement) {
    const keep = [...inherited, ...local].filter((name) => value(name) && value(name) !== around?.getPropertyValue(name).trim());
    if (value('opacity') !== '1') keep.push('opacity');
    if (from.hasAttribute('class') || from.hasAttribute('style')) keep.push('transform');
    if (keep.length) to.setAttribute('style', keep.map((name) => `${name}:${value(name)}`).join(';'));
  }
  to.removeAttribute('class');
  const copies = [...to.children];
  [...from.children].forEach((child, i) => (child.matches('.flash, .sum') ? copies[i]!.remove() : settle(child, copies[i]!, style)));
}

function glyphs(drawing: Element): string {
  const names = new Set([...drawing.querySelectorAll('use')].map((use) => use.getAttribute('href') ?? '').filter((href) => href.startsWith('#g-')));
  return [...names].map((name) => document.querySelector(name)?.outerHTML.replace('<symbol', '<symbol overflow="visible"') ?? '').join('');
}

export function pictureOf(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  settle(drawing, copy);
  const styles = getComputedStyle(drawing);
  const [, , width = '0', height = '0'] = (drawing.getAttribute('viewBox') ?? '').split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  const ground = styles.backgroundColor === 'rgba(0, 0, 0, 0)' ? styles.getPropertyValue('--sea').trim() : styles.backgroundColor;
  copy.setAttribute('style', `font-family:sans-serif;background:${ground}`);
  copy.insertAdjacentHTML('afterbegin', `<rect width="${width}" height="${height}" fill="${ground}"/><defs>${glyphs(drawing)}</defs>`);
  const root = getComputedStyle(document.documentElement);
  const text = local.reduce((all, name) => all.replaceAll(`var(${name},`, `VAR(${name},`), new XMLSerializer().serializeToString(copy));
  return resolve(text, root).replaceAll('VAR(', 'var(');
}

export async function pngOf(source: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('PNG'))), 'image/png'));
}
