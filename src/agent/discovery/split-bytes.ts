/** Splits a stream of bytes at a separator. */
export async function* splitBytes(
  pieces: AsyncIterable<Uint8Array>,
  separator: number,
): AsyncGenerator<Buffer, void, undefined> {
  let open: Buffer[] = [];
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(separator); end >= 0; end = bytes.indexOf(separator, from)) {
      const last = bytes.subarray(from, end);
      yield open.length === 0 ? last : Buffer.concat([...open, last]);
      open = [];
      from = end + 1;
    }
    if (from < bytes.byteLength) open.push(bytes.subarray(from));
  }
  if (open.length > 0) yield Buffer.concat(open);
}
