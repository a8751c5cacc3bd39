/* Tests speak English unless they say otherwise. */
import { setLocale } from '../../src/paraglide/runtime';

await setLocale('en');
