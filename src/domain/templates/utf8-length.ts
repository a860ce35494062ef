/**
 * Returns the number of bytes of a string in UTF-8. A lone surrogate counts as the replacement character,
 * because encoders write that instead.
 */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
      continue;
    }
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    // A surrogate pair takes four bytes, so each of its halves adds two. Any other unit takes three.
    bytes += 2;
    if (isPair) index++;
  }
  return bytes;
}
