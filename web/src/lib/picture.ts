/* The board on screen as a file of its own: glyphs and colours included. */

/** Replaces every var(--x) by its present value, innermost first. */
function resolve(text: string, styles: CSSStyleDeclaration): string {
  const one = /var\((--[\w-]+)(?:,\s*([^()]*))?\)/g;
  for (let i = 0; i < 4 && text.includes('var('); i++)
    text = text.replace(one, (_, name: string, other?: string) => styles.getPropertyValue(name).trim() || other || 'none');
  return text;
}

const shown = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'opacity', 'font', 'text-anchor', 'color', 'transform'] as const;

/* Styles that come from classes must travel with the elements. */
function settle(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  const classes = from.getAttribute('class') ?? '';
  if (from instanceof SVGGraphicsElement && (classes || from.getAttribute('style'))) {
    const keep = shown.filter((name) => ['color', 'transform', 'opacity'].includes(name) || from instanceof SVGTextElement);
    let css = keep.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';');
    const mark = style.getPropertyValue('--token-mark').trim();
    if (mark) css += `;--token-mark:${mark}`;
    to.setAttribute('style', css);
  }
  to.removeAttribute('class');
  [...from.children].forEach((child, i) => settle(child, to.children[i]!));
}

function glyphs(drawing: Element): string {
  const names = new Set([...drawing.querySelectorAll('use')].map((use) => use.getAttribute('href') ?? '').filter((href) => href.startsWith('#g-')));
  return [...names].map((name) => document.querySelector(name)?.outerHTML ?? '').join('');
}

export function pictureOf(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  settle(drawing, copy);
  copy.querySelectorAll('.flash, .sum').forEach((node) => node.remove());
  const styles = getComputedStyle(drawing);
  const [, , width = '0', height = '0'] = (drawing.getAttribute('viewBox') ?? '').split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.setAttribute('style', `font-family:sans-serif;background:${styles.getPropertyValue('--sea')}`);
  copy.insertAdjacentHTML('afterbegin', `<rect width="${width}" height="${height}" fill="var(--sea)"/><defs>${glyphs(drawing)}</defs>`);
  const root = getComputedStyle(document.documentElement);
  /* --token-mark differs per seat and stays a variable. */
  const text = new XMLSerializer().serializeToString(copy).replaceAll('var(--token-mark,', 'VAR(--token-mark,');
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
