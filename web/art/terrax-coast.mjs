/* Bakes the coast lines of Natural Earth into SVG paths that fit the places of
 * Terra-X: equirectangular, cut at 170° W, stretched as docs/rules/terrax.md
 * says of the map.  Run by hand when the data or the projection changes:
 *
 *     node art/terrax-coast.mjs
 *
 * Natural Earth is in the public domain; world-atlas packs it. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoProjection, geoStream } from 'd3-geo';
import { feature } from 'topojson-client';

const require = createRequire(import.meta.url);
const WIDTH = 1800;
const HEIGHT = 940;
const X = 1760 / 360; /* units of a degree */
const Y = 900 / 138;
const degrees = 180 / Math.PI;

/* x = 20 + (lon + 170) X, y = 20 + (80 - lat) Y; 10° E is the middle. */
const project = geoProjection((lambda, phi) => [lambda * degrees * X, phi * degrees * Y])
  .rotate([-10, 0])
  .scale(1)
  .translate([20 + 180 * X, 20 + 80 * Y])
  .precision(0)
  .clipExtent([[-30, -80], [WIDTH + 30, HEIGHT + 30]]);

/* Rings of whole or tenth units, without points on top of one another. */
function rings(land, unit) {
  const all = [];
  let ring = [];
  geoStream(land, project.stream({
    point(x, y) {
      const p = [Math.round(x / unit), Math.round(y / unit)];
      const q = ring.at(-1);
      if (!q || q[0] !== p[0] || q[1] !== p[1]) ring.push(p);
    },
    lineStart() { ring = []; },
    lineEnd() { if (ring.length > 3) all.push(ring); },
    polygonStart() {}, polygonEnd() {}, sphere() {},
  }));
  return all;
}

const area = (ring) =>
  Math.abs(ring.reduce((sum, [x, y], i) => { const [u, v] = ring[(i + 1) % ring.length]; return sum + x * v - u * y; }, 0)) / 2;

/* Leaves out points that lie within `slack` of the line of their neighbours. */
function simplify(ring, slack) {
  const keep = new Uint8Array(ring.length);
  const walk = (a, b) => {
    let far = -1;
    let most = slack;
    const [x, y] = ring[a];
    const [u, v] = ring[b];
    const length = Math.hypot(u - x, v - y) || 1;
    for (let i = a + 1; i < b; i++) {
      const [p, q] = ring[i];
      const d = length === 1 ? Math.hypot(p - x, q - y) : Math.abs((u - x) * (y - q) - (x - p) * (v - y)) / length;
      if (d > most) { most = d; far = i; }
    }
    if (far < 0) return;
    keep[far] = 1;
    walk(a, far);
    walk(far, b);
  };
  const half = ring.length >> 1;
  keep[0] = keep[half] = keep[ring.length - 1] = 1;
  walk(0, half);
  walk(half, ring.length - 1);
  return ring.filter((_, i) => keep[i]);
}

/* Relative line-tos in as few characters as they take. */
function path(ring) {
  let [x, y] = ring[0];
  let text = `M${x} ${y}l`;
  for (const [u, v] of ring.slice(1)) {
    for (const n of [u - x, v - y]) text += (n < 0 || text.endsWith('l') ? '' : ' ') + n;
    [x, y] = [u, v];
  }
  return `${text}z`;
}

function bake(file, unit, least, slack) {
  const world = require(`world-atlas/${file}`);
  const land = feature(world, world.objects.land);
  return rings(land, unit).filter((ring) => area(ring) * unit * unit >= least)
    .map((ring) => simplify(ring, slack / unit)).filter((ring) => ring.length > 2).map(path).join('');
}

const write = (name, about, text) =>
  writeFileSync(new URL(`../src/games/terrax/${name}.ts`, import.meta.url), `/* ${about}, made by art/terrax-coast.mjs from Natural Earth. */\nexport default '${text}';\n`);

write('coast', 'Coast lines for the whole map, in units of it', bake('land-110m.json', 1, 4, 0.4));
write('coast-fine', 'Coast lines for a closer look, in tenths of a unit', bake('land-50m.json', 0.1, 1.5, 0.22));
