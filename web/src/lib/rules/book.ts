/* A rule book from its Markdown: paragraphs with their numbers, as HTML.  Only
 * what docs/rules/ uses is understood: headings, lists, tables, code, diagrams. */

export interface Diagram {
  game: string;
  /** a position, or a record */
  text: string;
  /** actions played before it is drawn */
  play: string;
  /** the part of the picture that is shown: x, y, width, height */
  crop: string;
  caption: string;
}

export interface Paragraph {
  /** "5.2"; empty before the first number */
  id: string;
  /** further numbers this heading stands for */
  also: string[];
  level: number;
  title: string;
  blocks: Block[];
  /** all its words, for searching */
  words: string;
}

export type Block = { html: string; diagram?: undefined } | { html?: undefined; diagram: Diagram };

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

function inline(text: string, game: string): string {
  const codes: string[] = [];
  const kept = text.replace(/`([^`]+)`/g, (_, code: string) => `\u0000${codes.push(`<code>${escape(code)}</code>`) - 1}\u0000`);
  return escape(kept)
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\*([^*\s][^*]*)\*/g, '<i>$1</i>')
    .replace(/§(\d+(?:\.\d+)*)/g, `<a href="#/rules/${game}/$1">§$1</a>`)
    .replace(/\u0000(\d+)\u0000/g, (_, i: string) => codes[Number(i)]!);
}

const cells = (row: string): string[] => row.replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim());

function table(lines: string[], game: string): string {
  const [head = '', , ...rows] = lines;
  const row = (line: string, tag: string): string => {
    const list = cells(line);
    const id = /^\d+\.\d+$/.test(list[0] ?? '') && tag === 'td' ? ` id="p${list[0]!}"` : '';
    return `<tr${id}>${list.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${inline(cell, game)}</${tag}>`).join('')}</tr>`;
  };
  return `<div class="scroll" tabindex="0" role="group"><table><thead>${row(head, 'th')}</thead><tbody>${rows.map((line) => row(line, 'td')).join('')}</tbody></table></div>`;
}

/* Items begin with a star or a number; indented lines continue them. */
function list(lines: string[], game: string, at: string): string {
  const ordered = /^\d+\. /.test(lines[0]!);
  const items: string[] = [];
  for (const line of lines) {
    const begins = /^(?:\*|-|\d+\.) +(.*)$/.exec(line);
    if (begins) items.push(begins[1]!);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const tag = ordered ? 'ol' : 'ul';
  return `<${tag}>${items.map((item, i) => `<li${ordered && at ? ` id="p${at}.${i + 1}"` : ''}>${inline(item, game)}</li>`).join('')}</${tag}>`;
}

/* The text of the position, perhaps actions behind >, and the caption. */
function diagram(game: string, crop: string, lines: string[]): Diagram {
  const play = lines.find((line) => line.startsWith('> '));
  const rest = lines.filter((line) => line !== play);
  return { game, crop, text: `${rest.slice(0, -1).join('\n')}\n`, play: play?.slice(2) ?? '', caption: rest.at(-1) ?? '' };
}

/** "6.3 to 6.5 Shipping" and "6.6, 6.7 Spaces" stand for several numbers. */
function heading(text: string): { ids: string[]; title: string } {
  const found = /^§?(\d+(?:\.\d+)*)((?:, \d+(?:\.\d+)*)*|(?: to (\d+(?:\.\d+)*)))? +(.*)$/.exec(text);
  if (!found) return { ids: [], title: text };
  const ids = [found[1]!, ...(found[2]?.match(/\d+(?:\.\d+)+/g) ?? [])];
  if (found[3]) {
    const [head, first] = /^(.*\.)(\d+)$/.exec(ids[0]!)!.slice(1) as [string, string];
    const last = Number(/(\d+)$/.exec(found[3])![1]);
    return { ids: Array.from({ length: last - Number(first) + 1 }, (_, i) => `${head}${Number(first) + i}`), title: found[4]! };
  }
  return { ids, title: found[4]! };
}

/** The picture, or the part of it that the diagram asks for. */
export const cropped = (svg: string, { crop }: Diagram): string => (crop ? svg.replace(/viewBox="[^"]*"/, `viewBox="${crop}"`) : svg);

export function readBook(source: string, game: string): Paragraph[] {
  const lines = source.split('\n');
  const book: Paragraph[] = [];
  let listed = false;
  const now = (): Paragraph => book[book.length - 1]!;
  const put = (html: string): void => void now().blocks.push({ html });
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    const title = /^(#+) (.*)$/.exec(line);
    const fence = /^```(.*)$/.exec(line);
    if (title) {
      const { ids, title: text } = heading(title[2]!);
      book.push({ id: ids[0] ?? '', also: ids.slice(1), level: title[1]!.length, title: text, blocks: [], words: text });
      listed = false;
      i++;
    } else if (!line.trim() || !book.length) {
      i++;
    } else {
      const begin = i;
      const more = (test: (next: string) => boolean): string[] => {
        while (i < lines.length && test(lines[i]!)) i++;
        return lines.slice(begin, i);
      };
      if (fence) {
        i++;
        const body = more((next) => next !== '```').slice(1);
        i++;
        const drawn = /^position (\w+)(?: crop ([\d ]+))?$/.exec(fence[1]!);
        if (drawn) {
          const made = diagram(drawn[1]!, drawn[2] ?? '', body);
          now().blocks.push({ diagram: made });
          now().words += ` ${made.caption}`;
          continue;
        }
        put(`<pre tabindex="0">${escape(body.join('\n'))}</pre>`);
      } else if (line.startsWith('|')) put(table(more((next) => next.startsWith('|')), game));
      else if (/^(\*|-|\d+\.) /.test(line)) {
        const numbered = /^\d+\. /.test(line);
        put(list(more((next) => /^(\*|-|\d+\.) |^ +\S/.test(next)), game, numbered && !listed ? now().id : ''));
        if (numbered) listed = true;
      } else if (/^ {4}/.test(line)) put(`<pre tabindex="0">${escape(more((next) => /^ {4}/.test(next)).map((next) => next.slice(4)).join('\n'))}</pre>`);
      else put(`<p>${inline(more((next) => next.trim() !== '' && !/^(#|```|\||\* |\d+\. )/.test(next)).join(' '), game)}</p>`);
      now().words += ` ${lines.slice(begin, i).join(' ')}`;
    }
  }
  return book;
}

/** All numbers a book can be opened at: paragraphs, their items and rows. */
export function numbers(book: Paragraph[]): Set<string> {
  const found = new Set<string>();
  for (const paragraph of book) {
    for (const id of [paragraph.id, ...paragraph.also]) if (id) found.add(id);
    for (const { html } of paragraph.blocks) for (const one of html?.matchAll(/ id="p([\d.]+)"/g) ?? []) found.add(one[1]!);
  }
  return found;
}

/** The translated book; what it lacks is taken from the English one. */
export function complete(translated: Paragraph[], english: Paragraph[]): (Paragraph & { foreign: boolean })[] {
  return english.map((paragraph, i) => {
    const own = paragraph.id ? translated.find((one) => one.id === paragraph.id) : translated[i];
    return { ...(own ?? paragraph), foreign: !own };
  });
}
