/* Mouse, pen and fingers on a drawing: drag and pinch move the camera, a tap
 * chooses, a mouse that only passes over points. */
import type { Camera, Point } from './camera.svelte';

interface Drawing<T> {
  camera: Camera;
  svg: () => SVGSVGElement | null;
  /** what lies at that point of the map */
  hit: (at: Point, e: PointerEvent) => T | null;
  onhover: (on: T | null) => void;
  ontap: (on: T | null, mouse: boolean) => void;
}

/** Handlers to spread on the drawing. */
export function pointing<T>({ camera, svg, hit, onhover, ontap }: Drawing<T>) {
  const toUser = (e: { clientX: number; clientY: number }): Point => {
    const { x, y } = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg()!.getScreenCTM()!.inverse());
    return { x, y };
  };
  const under = (e: PointerEvent): T | null => hit(camera.toMap(toUser(e)), e);
  const onpointerup = (e: PointerEvent): void => {
    if (camera.up(e.pointerId) && e.type !== 'pointercancel') ontap(under(e), e.pointerType === 'mouse');
  };
  return {
    onpointerup,
    onpointercancel: onpointerup,
    onpointerdown(e: PointerEvent): void {
      svg()!.setPointerCapture(e.pointerId);
      camera.down(e.pointerId, toUser(e));
    },
    onpointermove(e: PointerEvent): void {
      if (camera.busy) camera.move(e.pointerId, toUser(e));
      else if (e.pointerType === 'mouse') onhover(under(e));
    },
    onpointerleave(e: PointerEvent): void {
      if (e.pointerType === 'mouse') onhover(null);
    },
    onwheel(e: WheelEvent): void {
      e.preventDefault();
      camera.zoomAt(toUser(e), Math.exp(-e.deltaY * 0.0015));
    },
  };
}
