import { escapeControls } from '../text/visible-controls.ts';

/**
 * Quotes untrusted text for a message. Control characters are escaped, and the text is truncated after 40
 * characters.
 */
export function quote(text: string): string {
  const isCut = text.length > 40;
  const piece = (isCut ? text.slice(0, 40) : text).toWellFormed();
  return escapeControls(JSON.stringify(piece)) + (isCut ? '…' : '');
}
