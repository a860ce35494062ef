import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const paletteSize = 256;

interface Pixels {
  width: number;
  height: number;
  /** One 0xRRGGBB value per pixel, row by row. */
  colours: Uint32Array;
}

/**
 * Reduces a picture to a third of its bytes with a palette of its 256 most common colors. Any other color
 * becomes the nearest of them. This works well for pictures of pages, which have few colors except at the
 * edges of letters.
 * @param png A PNG with eight bits per channel and without interlacing, as browsers write it.
 */
export function packPng(png: Buffer): Buffer {
  const { width, height, colours } = readPng(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, paletteSize)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(palette, colour));

  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    at += 1;
    for (let x = 0; x < width; x++) rows[at++] = places.get(colours[y * width + x]!)!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per pixel, with a palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    signature,
    writeChunk('IHDR', header),
    writeChunk('PLTE', Buffer.from(palette.flatMap(channels))),
    writeChunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

const channels = (colour: number): [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
];

function nearest(palette: readonly number[], colour: number): number {
  const [red, green, blue] = channels(colour);
  let [best, bestDistance] = [0, Number.POSITIVE_INFINITY];
  for (const [place, candidate] of palette.entries()) {
    const [r, g, b] = channels(candidate);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < bestDistance) [best, bestDistance] = [place, distance];
  }
  return best;
}

/** Reads the pixels without transparency, because pages have none. */
export function readPng(png: Buffer): Pixels {
  let header: Buffer = Buffer.alloc(0);
  let palette: Buffer = Buffer.alloc(0);
  const parts: Buffer[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = data;
    if (type === 'PLTE') palette = data;
    if (type === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const size = { 2: 3, 3: 1, 6: 4 }[header[9]!];
  if (header[8] !== 8 || header[12] !== 0 || size === undefined)
    throw new Error('This PNG is of another kind.');
  const bytes = unfilter(inflateSync(Buffer.concat(parts)), width * size, height, size);
  const colours = new Uint32Array(width * height);
  for (let index = 0; index < colours.length; index++) {
    const [source, at] = size === 1 ? [palette, bytes[index]! * 3] : [bytes, index * size];
    colours[index] = (source[at]! << 16) | (source[at + 1]! << 8) | source[at + 2]!;
  }
  return { width, height, colours };
}

/**
 * Reverses the row filters. A PNG stores each row as its difference from the pixels to the left and above,
 * with one of five filters.
 */
function unfilter(filtered: Buffer, rowSize: number, height: number, pixelSize: number): Buffer {
  const bytes = Buffer.alloc(rowSize * height);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (rowSize + 1)];
    for (let x = 0; x < rowSize; x++) {
      const at = y * rowSize + x;
      const left = x >= pixelSize ? bytes[at - pixelSize]! : 0;
      const up = y > 0 ? bytes[at - rowSize]! : 0;
      const corner = x >= pixelSize && y > 0 ? bytes[at - rowSize - pixelSize]! : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      bytes[at] = filtered[y * (rowSize + 1) + 1 + x]! + guess;
    }
  }
  return bytes;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
