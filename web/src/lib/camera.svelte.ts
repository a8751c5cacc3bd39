/* Zoom and pan of a drawing with a fixed viewBox: by wheel, drag, pinch and
 * calls.  Lengths are units of the drawing. */
export interface Point { x: number; y: number }

export class Camera {
  k = $state(1);
  x = $state(0);
  y = $state(0);
  moving = $state(false);
  /** size of the element on screen, pixels */
  width = $state(0);
  height = $state(0);
  readonly #size: () => { width: number; height: number };
  /** the drawing hangs from the upper edge (xMidYMin) and is not centred */
  readonly #hangs: boolean;
  readonly #most: number;
  /** how much of the height something covers from below, 0 to 1 */
  #covered = 0;

  constructor(size: () => { width: number; height: number }, { hangs = false, most = 9 } = {}) {
    this.#size = size;
    this.#hangs = hangs;
    this.#most = most;
  }

  /** pixels of one unit at zoom 1 */
  get scale(): number {
    const { width, height } = this.#size();
    return this.width && this.height ? Math.min(this.width / width, this.height / height) : 0.58;
  }

  /** units that one pixel covers now */
  get unit(): number {
    return 1 / (this.scale * this.k);
  }

  /** units of the drawing that are on screen at zoom 1 */
  get shown(): { w: number; h: number } {
    const { width, height } = this.#size();
    return { w: this.width ? this.width / this.scale : width, h: this.height ? this.height / this.scale : height };
  }

  /* `slack` is what is free before the drawing. */
  #limit(value: number, k: number, size: number, shown: number, slack: number): number {
    if (size * k <= shown) return slack ? (size - size * k) / 2 : 0;
    return Math.min(-slack, Math.max(shown - slack - size * k, value));
  }

  #within(k: number): number {
    return Math.min(this.#most, Math.max(1, k));
  }

  set(k: number, x: number, y: number): void {
    const { width, height } = this.#size();
    const { w, h } = this.shown;
    this.k = this.#within(k);
    this.x = this.#limit(x, this.k, width, w, (w - width) / 2);
    this.y = this.#limit(y, this.k, height, h * (1 - this.#covered), this.#hangs ? 0 : (h - height) / 2);
  }

  zoomAt(p: Point, factor: number): void {
    const k = this.#within(this.k * factor);
    const f = k / this.k;
    this.set(k, p.x - (p.x - this.x) * f, p.y - (p.y - this.y) * f);
  }

  zoom(factor: number): void {
    const { width, height } = this.#size();
    if (factor === 0) this.set(1, 0, 0);
    else this.zoomAt({ x: width / 2, y: height / 2 }, factor);
  }

  /** The keys that zoom; false if it is none of them. */
  key(key: string): boolean {
    const factor = { '+': 1.4, '=': 1.4, '-': 1 / 1.4, '0': 0 }[key];
    if (factor !== undefined) this.zoom(factor);
    return factor !== undefined;
  }

  centre(p: Point, k = this.k): void {
    const { width, height } = this.#size();
    this.set(k, width / 2 - p.x * k, ((this.#hangs ? this.shown.h : height) * (1 - this.#covered)) / 2 - p.y * k);
  }

  /** So much of the height is covered from below; the drawing may be moved out of there. */
  cover(part: number): void {
    this.#covered = part;
    this.set(this.k, this.x, this.y);
  }

  /** Is the point on screen, and not at its very rim? */
  shows(p: Point): boolean {
    const { width, height } = this.#size();
    const { w, h } = this.shown;
    const u = p.x * this.k + this.x + (w - width) / 2;
    const v = p.y * this.k + this.y + (this.#hangs ? 0 : (h - height) / 2);
    return u > w * 0.06 && v > h * 0.08 && u < w * 0.94 && v < h * (1 - this.#covered) - h * 0.08;
  }

  toMap(p: Point): Point {
    return { x: (p.x - this.x) / this.k, y: (p.y - this.y) / this.k };
  }

  /* ---- pointers ---- */

  readonly #pointers = new Map<number, Point>();
  #travelled = 0;
  /* zoom for each unit between two fingers, as when they came down */
  #grip = 0;

  /* A third finger is not heeded. */
  down(id: number, p: Point): void {
    if (this.#pointers.size === 2) return;
    const other = [...this.#pointers.values()][0];
    this.#pointers.set(id, p);
    if (other) this.#grip = this.k / Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
    else this.#travelled = 0;
  }

  get busy(): boolean {
    return this.#pointers.size > 0;
  }

  move(id: number, p: Point): void {
    const was = this.#pointers.get(id);
    if (!was) return;
    const other = [...this.#pointers].find(([key]) => key !== id)?.[1];
    this.#travelled += Math.hypot(p.x - was.x, p.y - was.y) * this.scale;
    if (other) {
      /* What lies between the fingers stays there, also where zoom ends. */
      const k = this.#within(this.#grip * Math.hypot(p.x - other.x, p.y - other.y));
      const at = this.toMap({ x: (was.x + other.x) / 2, y: (was.y + other.y) / 2 });
      this.moving = true;
      this.set(k, (p.x + other.x) / 2 - at.x * k, (p.y + other.y) / 2 - at.y * k);
      this.#travelled = 100;
    } else if (this.#travelled > 8) {
      this.moving = true;
      this.set(this.k, this.x + p.x - was.x, this.y + p.y - was.y);
    }
    this.#pointers.set(id, p);
  }

  /** True if it was a tap. */
  up(id: number): boolean {
    if (!this.#pointers.delete(id)) return false;
    this.moving = false;
    return this.#travelled <= 8;
  }
}
