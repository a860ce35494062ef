import { visibleControls } from '../text/visible-controls.ts';

/** A piece of foreign text for a message: quoted, control characters escaped, cut after 40 characters. */
export function quote(text: string): string {
  const isCut = text.length > 40;
  const piece = (isCut ? text.slice(0, 40) : text).toWellFormed();
  return visibleControls(JSON.stringify(piece)) + (isCut ? '…' : '');
}
