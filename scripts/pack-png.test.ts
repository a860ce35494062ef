import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { packPng, readPng } from './pack-png.ts';

/**
 * Creates a PNG of RGB rows that are already filtered. Chunk checksums are zero, because the reader doesn't
 * verify them.
 */
function makePng(width: number, rows: readonly (readonly number[])[]): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.alloc(8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a packed PNG', () => {
  test('has the same pixels as the original if it has few colors, regardless of the filters of its rows', () => {
    // The filters of the rows: none, left pixel, pixel above, mean of both, Paeth predictor.
    const png = makePng(2, [
      [0, 10, 20, 30, 40, 50, 60],
      [1, 10, 20, 30, 30, 30, 30],
      [2, 0, 0, 0, 0, 0, 0],
      [3, 5, 10, 15, 15, 15, 15],
      [4, 0, 0, 0, 0, 0, 0],
    ]);
    const row = [0x0a141e, 0x28323c];
    const expected = Array.from({ length: 5 }, () => row).flat();
    expect([...readPng(png).colours]).toEqual(expected);
    expect([...readPng(packPng(png)).colours]).toEqual(expected);
  });

  test('replaces each color outside the palette with the nearest palette color if the picture has too many colors', () => {
    const width = 300;
    const often = Array.from({ length: width * 3 }, (_, index) => Math.floor(index / 3) % 256);
    const rarely = Array.from({ length: width }, (_, index) => [
      index % 256,
      index % 256,
      (index + 1) % 256,
    ]).flat();
    const png = makePng(width, [
      [0, ...often],
      [0, ...often],
      [0, ...rarely],
    ]);
    const [before, after] = [readPng(png), readPng(packPng(png))];
    expect(new Set(before.colours).size).toBeGreaterThan(256);
    expect(new Set(after.colours).size).toBe(256);
    expect(after.colours.slice(0, 2 * width)).toEqual(before.colours.slice(0, 2 * width));
    expect(after.colours[2 * width]).toBe(0);
  });
});
