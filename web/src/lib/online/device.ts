/* What a browser calls itself among somebody's devices: "Firefox, Linux". */

/* In this order: many an earlier one also claims to be a later one. */
const browsers: [RegExp, string][] = [[/Edg/, 'Edge'], [/OPR\//, 'Opera'], [/Firefox|FxiOS/, 'Firefox'], [/Chrom(e|ium)|CriOS/, 'Chrome'], [/Safari/, 'Safari']];
const systems: [RegExp, string][] = [[/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Windows/, 'Windows'], [/Mac OS/, 'macOS'], [/CrOS/, 'ChromeOS'], [/Linux/, 'Linux']];

export const deviceName = (agent: string): string =>
  [browsers, systems].flatMap((list) => list.find(([pattern]) => pattern.test(agent))?.[1] ?? []).join(', ');
