/* What is told about the places in languages that the map itself does not
 * speak.  Fetched when first asked for, and then shown. */
import { getLocale } from '../../paraglide/runtime';

type Texts = Record<string, string>;
const files = import.meta.glob<Texts>('../../../messages/places/*.json', { import: 'default' });
let texts = $state.raw<Record<string, Texts>>({});
const asked = new Set<string>();

export function placeText(id: string): string | undefined {
  const locale = getLocale();
  const load = files[`../../../messages/places/${locale}.json`];
  if (load && !asked.has(locale)) {
    asked.add(locale);
    void load().then((found) => (texts = { ...texts, [locale]: found }), () => asked.delete(locale));
  }
  return texts[locale]?.[id];
}
